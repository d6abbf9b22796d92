//! The examples do what they say, with each other.

#[path = "../examples/client.rs"]
#[allow(dead_code, unreachable_pub)]
mod client;
#[path = "../examples/device.rs"]
#[allow(dead_code, unreachable_pub)]
mod device;

#[test]
fn the_client_switches_the_devices_led() {
    let (mut device_in, mut client_out) = std::io::pipe().unwrap();
    let (client_in, mut device_out) = std::io::pipe().unwrap();
    let device = std::thread::spawn(move || device::serve(&mut device_in, &mut device_out));
    let said = client::talk(&client::chunks(client_in), &mut client_out).unwrap();
    assert_eq!(said, ["led_set", "led_get", "on"]);
    drop(client_out);
    device.join().unwrap().unwrap();
}

/// A server that answers each line it is sent with the next of these, and then reads on.
fn talk_to(answers: &'static [&'static str]) -> Result<Vec<String>, String> {
    use std::io::{BufRead, BufReader, Write};
    let (server_in, mut client_out) = std::io::pipe().unwrap();
    let (client_in, mut server_out) = std::io::pipe().unwrap();
    let server = std::thread::spawn(move || {
        let mut answers = answers.iter();
        for _ in BufReader::new(server_in).lines() {
            if let Some(answer) = answers.next() {
                writeln!(server_out, "{answer}").unwrap();
            }
        }
    });
    let said = client::talk(&client::chunks(client_in), &mut client_out);
    drop(client_out);
    server.join().unwrap();
    said.map_err(|error| error.to_string())
}

#[test]
fn the_client_tells_why_there_is_no_session() {
    let said = talk_to(&[
        r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no"}}"#,
    ]);
    assert_eq!(said, Err("no session came about: Refused".into()));
}

#[test]
fn the_client_goes_on_when_a_probe_is_ignored() {
    let said = talk_to(&[
        "",
        r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}}"#,
        "",
        r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#,
        r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"on"}]}}"#,
    ]);
    assert_eq!(said, Ok(vec!["on".into()]));
}

#[test]
fn the_device_answers_a_session_of_the_legacy_era() {
    let input = b"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"0\"}}}\n\
        {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n\
        {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n\
        {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"led_set\",\"arguments\":{\"on\":true}}}\n\
        {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"led_get\",\"arguments\":{}}}\n\
        {\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"led_set\",\"arguments\":{\"on\":1}}}\n";
    let mut output = Vec::new();
    device::serve(&mut &input[..], &mut output).unwrap();
    assert_eq!(
        String::from_utf8(output).unwrap(),
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"board\",\"version\":\"1.0\"}}}\n\
         {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{\"name\":\"led_set\",\"description\":\"Switches the LED\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"on\":{\"type\":\"boolean\"}},\"required\":[\"on\"],\"additionalProperties\":false}},{\"name\":\"led_get\",\"description\":\"Tells whether the LED is on\",\"inputSchema\":{\"type\":\"object\",\"additionalProperties\":false},\"annotations\":{\"readOnlyHint\":true}}]}}\n\
         {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"on\"}]}}\n\
         {\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"on\"}]}}\n\
         {\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32602,\"message\":\"Invalid arguments: /on: not of type boolean\"}}\n",
    );
}
