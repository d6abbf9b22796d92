// The types of the CommonJS side.

import wireline = require('wireline')
import { Server } from 'wireline/server'

new wireline.Decoder().push(new Uint8Array(1)) satisfies wireline.Item[]
new Server({ name: 'x', version: '1' }).tool('x', () => 'y')
