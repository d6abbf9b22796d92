"""JSON Schema out of annotations, and values held against them.

Plain types are known here; `pydantic` and `msgspec` are asked for their own, and for constraints in
``Annotated``, where they are installed.
"""

from __future__ import annotations

import collections.abc
import contextlib
import dataclasses
import enum
import functools
import inspect
import json
import re
import types
import typing
from collections.abc import Callable
from typing import Any

from ._content import plain
from ._failure import failure_text

__all__ = ["ArgumentError", "Parameters", "SchemaError", "Type", "name_of", "of_annotation", "written"]


class SchemaError(TypeError):
    """A function has an annotation that no schema can be made of."""


class ArgumentError(ValueError):
    """An argument does not fit its schema; the text says where, and what was expected."""


@dataclasses.dataclass(frozen=True)
class Type:
    """A type's schema, and what makes a JSON value one of its values."""

    schema: dict[str, Any]
    read: Callable[[Any, str], Any]


def _wrong(where: str, expected: str, value: Any) -> ArgumentError:
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    name = names.get(type(value), "a number")
    return ArgumentError(f"{where} must be {expected}, not {name}")


def _refused(where: str, error: Exception) -> ArgumentError:
    """What a class of the program's says to its arguments."""
    return ArgumentError(f"{where or 'the arguments'}: {failure_text(error)}")


def _any(value: Any, where: str) -> Any:
    return value


def _str(value: Any, where: str) -> Any:
    if isinstance(value, str):
        return value
    raise _wrong(where, "a string", value)


def _int(value: Any, where: str) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise _wrong(where, "an integer", value)


def _float(value: Any, where: str) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise ArgumentError(f"{where} is larger than a float can be") from None
    raise _wrong(where, "a number", value)


def _bool(value: Any, where: str) -> Any:
    if isinstance(value, bool):
        return value
    raise _wrong(where, "a boolean", value)


def _none(value: Any, where: str) -> Any:
    if value is None:
        return None
    raise _wrong(where, "null", value)


_PLAIN: dict[Any, Type] = {
    Any: Type({}, _any),
    object: Type({}, _any),
    inspect.Parameter.empty: Type({}, _any),
    str: Type({"type": "string"}, _str),
    int: Type({"type": "integer"}, _int),
    float: Type({"type": "number"}, _float),
    bool: Type({"type": "boolean"}, _bool),
    None: Type({"type": "null"}, _none),
    type(None): Type({"type": "null"}, _none),
}

_ARRAYS: dict[Any, Any] = {
    list: list,
    collections.abc.Sequence: list,
    collections.abc.Iterable: list,
    collections.abc.Collection: list,
    collections.abc.MutableSequence: list,
    set: set,
    frozenset: frozenset,
    collections.abc.Set: frozenset,
}
# What only a result can be: a generator is run to its end.
_GENERATORS = (
    collections.abc.Iterator,
    collections.abc.Generator,
    collections.abc.AsyncIterable,
    collections.abc.AsyncIterator,
    collections.abc.AsyncGenerator,
)
_OBJECTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)


def of_annotation(annotation: Any, seen: tuple[Any, ...] = (), output: bool = False) -> Type:
    """The type of an annotation. With `output` its schema is that of what is given out, which may differ
    from what is taken: all members are there, computed ones too.

    >>> of_annotation(list[int] | None).schema
    {'anyOf': [{'type': 'array', 'items': {'type': 'integer'}}, {'type': 'null'}]}
    >>> of_annotation(int).read("five", "days")
    Traceback (most recent call last):
    ...
    wireline.server._schema.ArgumentError: days must be an integer, not a string
    """
    try:
        if annotation in _PLAIN:
            return _PLAIN[annotation]
    except TypeError:
        pass
    if annotation in seen:
        raise SchemaError(f"{annotation!r} holds itself; pydantic and msgspec have schemas for that")
    seen = (*seen, annotation)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _annotated(annotation, arguments, seen, output)
    if origin is typing.Literal:
        return _choice([(it.value if isinstance(it, enum.Enum) else it, it) for it in arguments])
    if origin in (typing.Union, types.UnionType):
        return _union([of_annotation(it, seen, output) for it in arguments])
    if annotation is tuple or origin is tuple:
        return _tuple(arguments, seen, output)
    base = origin or annotation
    if base in _ARRAYS:
        return _array(_ARRAYS[base], of_annotation(arguments[0] if arguments else Any, seen, output))
    if output and base in _GENERATORS:
        return _array(list, of_annotation(arguments[0] if arguments else Any, seen, output))
    if base in _OBJECTS:
        return _mapping(arguments, seen, output)
    if isinstance(annotation, typing.NewType):
        return of_annotation(annotation.__supertype__, seen, output)
    if isinstance(annotation, type):
        foreign = _foreign(annotation, output)
        if foreign is not None:
            return foreign
        if issubclass(annotation, enum.Enum):
            return _enumeration(annotation)
        if typing.is_typeddict(annotation):
            return _typed_dict(annotation, seen, output)
        if dataclasses.is_dataclass(annotation):
            return _data_class(annotation, seen, output)
    other = _by_pydantic(annotation, output) or _by_msgspec(annotation)
    if other is not None:
        return other
    # `type X = …`, from 3.12 on.
    if type(annotation).__name__ == "TypeAliasType":
        return of_annotation(annotation.__value__, seen, output)
    raise SchemaError(
        f"no schema can be made of {annotation!r}; with pydantic or msgspec installed more types are known"
    )


def _annotated(annotation: Any, arguments: tuple[Any, ...], seen: tuple[Any, ...], output: bool) -> Type:
    described = [it for it in arguments[1:] if isinstance(it, str)]
    others = [it for it in arguments[1:] if not isinstance(it, str)]
    kind: Type | None = None
    if others:
        modules = {type(it).__module__.partition(".")[0] for it in others}
        if "msgspec" in modules:
            kind = _by_msgspec(annotation)
        elif modules & {"pydantic", "annotated_types"}:
            kind = _by_pydantic(annotation, output)
    kind = kind or of_annotation(arguments[0], seen, output)
    return Type({**kind.schema, "description": described[0]}, kind.read) if described else kind


def _choice(values: list[tuple[Any, Any]]) -> Type:
    """One of some values of JSON, each with what stands for it here."""

    def read(value: Any, where: str) -> Any:
        for known, stands_for in values:
            # One is 1.0, and not true.
            if value == known and isinstance(value, bool) == isinstance(known, bool):
                return stands_for
        raise ArgumentError(f"{where} must be one of {', '.join(repr(it) for it, _ in values)}")

    return Type({"enum": [it for it, _ in values]}, read)


def _enumeration(annotation: type[enum.Enum]) -> Type:
    if issubclass(annotation, enum.Flag):
        return _flags(annotation)
    return _choice([(member.value, member) for member in annotation])


def _flags(annotation: type[enum.Flag]) -> Type:
    """Any of several, as one number."""

    def read(value: Any, where: str) -> Any:
        try:
            return annotation(_int(value, where))
        except ValueError as error:
            raise _refused(where, error) from None

    return Type({"type": "integer"}, read)


def _union(kinds: list[Type]) -> Type:
    def read(value: Any, where: str) -> Any:
        told = []
        for kind in kinds:
            try:
                return kind.read(value, where)
            except ArgumentError as error:
                told.append(str(error))
        raise ArgumentError("; or ".join(told))

    return Type({"anyOf": [kind.schema for kind in kinds]}, read)


def _array(make: Any, item: Type) -> Type:
    schema: dict[str, Any] = {"type": "array", "items": item.schema}
    if make is not list:
        schema["uniqueItems"] = True

    def read(value: Any, where: str) -> Any:
        if not isinstance(value, list):
            raise _wrong(where, "an array", value)
        try:
            return make(item.read(it, f"{where}[{at}]") for at, it in enumerate(value))
        except TypeError:
            raise ArgumentError(f"{where} holds what cannot be in a set") from None

    return Type(schema, read)


def _tuple(arguments: tuple[Any, ...], seen: tuple[Any, ...], output: bool) -> Type:
    if not arguments or (len(arguments) == 2 and arguments[1] is Ellipsis):
        kind = _array(list, of_annotation(arguments[0] if arguments else Any, seen, output))
        return Type(kind.schema, lambda value, where: tuple(kind.read(value, where)))
    kinds = [of_annotation(it, seen, output) for it in arguments]

    def read(value: Any, where: str) -> Any:
        if not isinstance(value, list) or len(value) != len(kinds):
            raise ArgumentError(f"{where} must be an array of {len(kinds)}")
        return tuple(
            kind.read(it, f"{where}[{at}]")
            for at, (kind, it) in enumerate(zip(kinds, value, strict=True))
        )

    count = len(kinds)
    items = [kind.schema for kind in kinds]
    return Type({"type": "array", "prefixItems": items, "minItems": count, "maxItems": count}, read)


def _mapping(arguments: tuple[Any, ...], seen: tuple[Any, ...], output: bool) -> Type:
    if arguments and arguments[0] not in (str, Any):
        raise SchemaError(f"the keys of JSON objects are strings, not {arguments[0]!r}")
    item = of_annotation(arguments[1] if arguments else Any, seen, output)
    schema: dict[str, Any] = {"type": "object"}
    if item.schema:
        schema["additionalProperties"] = item.schema

    def read(value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            raise _wrong(where, "an object", value)
        return {key: item.read(it, f"{where}.{key}") for key, it in value.items()}

    return Type(schema, read)


def _object(
    fields: dict[str, tuple[Type, bool]], make: Callable[[dict[str, Any]], Any], closed: bool
) -> Type:
    """An object of named members, each with whether it is required."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {name: kind.schema for name, (kind, _) in fields.items()},
    }
    required = [name for name, (_, needed) in fields.items() if needed]
    if required:
        schema["required"] = required
    if closed:
        schema["additionalProperties"] = False

    def read(value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            raise _wrong(where or "the arguments", "an object", value)
        prefix = f"{where}." if where else ""
        for name in value:
            if closed and name not in fields:
                raise ArgumentError(f"{prefix}{name} is not known")
        found = {}
        for name, (kind, needed) in fields.items():
            if name in value:
                found[name] = kind.read(value[name], prefix + name)
            elif needed:
                raise ArgumentError(f"{prefix}{name} is missing")
        try:
            return make(found)
        except Exception as error:
            raise _refused(where, error) from error

    return Type(schema, read)


_MARKS = (typing.Required, typing.NotRequired, getattr(typing, "ReadOnly", typing.Required))


def _typed_dict(annotation: Any, seen: tuple[Any, ...], output: bool) -> Type:
    hints = typing.get_type_hints(annotation, include_extras=True)
    fields = {}
    for name, hint in hints.items():
        while typing.get_origin(hint) in _MARKS:
            hint = typing.get_args(hint)[0]
        fields[name] = (of_annotation(hint, seen, output), name in annotation.__required_keys__)
    return _object(fields, dict, closed=False)


def _data_class(annotation: Any, seen: tuple[Any, ...], output: bool) -> Type:
    hints = typing.get_type_hints(annotation, include_extras=True)
    fields = {}
    missing = dataclasses.MISSING
    for field in dataclasses.fields(annotation):
        if field.init or output:
            needed = output or (field.default is missing and field.default_factory is missing)
            fields[field.name] = (of_annotation(hints[field.name], seen, output), needed)
    if not output:
        for name, parameter in inspect.signature(annotation).parameters.items():
            variadic = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
            if name not in fields and parameter.default is parameter.empty and not variadic:
                raise SchemaError(f"{annotation.__qualname__} is made of {name}, which is none of its fields")
    return _object(fields, lambda found: annotation(**found), closed=True)


def _foreign(annotation: type, output: bool) -> Type | None:
    """Classes that say themselves which library they are of."""
    if hasattr(annotation, "__pydantic_core_schema__") or hasattr(annotation, "model_json_schema"):
        return _by_pydantic(annotation, output)
    if hasattr(annotation, "__struct_fields__"):
        return _by_msgspec(annotation)
    return None


def _by_pydantic(annotation: Any, output: bool) -> Type | None:
    try:
        import pydantic
    except ImportError:
        return None
    try:
        adapter: Any = pydantic.TypeAdapter(annotation)
        schema = adapter.json_schema(mode="serialization" if output else "validation")
    except Exception:
        return None

    def read(value: Any, where: str) -> Any:
        try:
            try:
                # JSON it was, of which a strict model takes what no Python value stands for.
                written = json.dumps(value)
            except (TypeError, ValueError):
                # What the program's `loads` made of it is not for `json` to write.
                return adapter.validate_python(value)
            return adapter.validate_json(written)
        except pydantic.ValidationError as error:
            told = [
                ".".join([where, *map(str, it["loc"])]) + ": " + it["msg"] for it in error.errors()
            ]
            raise ArgumentError("; ".join(told)) from None
        except Exception as error:
            # Of a validator.
            raise _refused(where, error) from error

    return Type(schema, read)


def _by_msgspec(annotation: Any) -> Type | None:
    try:
        import msgspec
    except ImportError:
        return None
    try:
        (schema,), components = msgspec.json.schema_components(
            [annotation], ref_template="#/$defs/{name}"
        )
        if components:
            schema = {**schema, "$defs": components}
    except Exception:
        return None

    def read(value: Any, where: str) -> Any:
        try:
            return msgspec.convert(value, annotation)
        except Exception as error:
            raise _refused(where, error) from error

    return Type(schema, read)


_SECTION = re.compile(r"^\s*(?:Args|Arguments|Parameters|Params):\s*$")
_OTHER = re.compile(r"^\s*[A-Z]\w+:\s*$")
_GOOGLE = re.compile(r"^\s+\*{0,2}(\w+)\s*(?:\([^)]*\))?:\s*(.*)$")
_SPHINX = re.compile(r"^\s*:param\s+(?:[\w\[\], |]+\s+)?(\w+):\s*(.*)$")


def docstring(text: str | None) -> tuple[str, dict[str, str]]:
    """A docstring's text, and what it says of each parameter.

    >>> docstring("Adds.\\n\\nArgs:\\n    a: The first,\\n        of two.\\n    b (int): The second.")
    ('Adds.', {'a': 'The first, of two.', 'b': 'The second.'})
    >>> docstring("Adds.\\n\\n:param a: The first.")
    ('Adds.', {'a': 'The first.'})
    """
    said: dict[str, str] = {}
    kept: list[str] = []
    inside, last, indent = False, "", 0
    for line in inspect.cleandoc(text or "").split("\n"):
        depth = len(line) - len(line.lstrip())
        if sphinx := _SPHINX.match(line):
            last, indent = sphinx[1], depth
            said[last] = sphinx[2].strip()
        elif _SECTION.match(line):
            inside, last = True, ""
        elif inside and line.strip() and (depth == 0 or _OTHER.match(line) and depth == 0):
            inside, last = False, ""
            kept.append(line)
        elif inside:
            google = _GOOGLE.match(line)
            if google and (not last or depth <= indent):
                last, indent = google[1], depth
                said[last] = google[2].strip()
            elif last and line.strip():
                said[last] = f"{said[last]} {line.strip()}".strip()
        else:
            kept.append(line)
    return "\n".join(kept).strip(), said


def rooted(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that is a document of its own: its definitions, which references name from the root,
    are brought there, and a reference that is all there is gives way to what it names.

    >>> rooted({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}})
    {'type': 'object'}
    """
    definitions: dict[str, Any] = {}

    def without(value: Any) -> Any:
        if isinstance(value, list):
            return [without(it) for it in value]
        if not isinstance(value, dict):
            return value
        for name, definition in value.get("$defs", {}).items():
            definition = without(definition)
            if definitions.setdefault(name, definition) != definition:
                raise SchemaError(f"two types are called {name}; give one of them another name")
        return {key: without(it) for key, it in value.items() if key != "$defs"}

    root: dict[str, Any] = without(schema)
    name = root.get("$ref", "").removeprefix("#/$defs/")
    if name in definitions and len(root) == 1:
        root = definitions[name]
    if '"#/$defs/' in written([root, definitions], "a type"):
        root = {**root, "$defs": definitions}
    return root


class Parameters:
    """What a function takes: a schema for its arguments, and the parameter that is the context."""

    def __init__(self, function: Callable[..., Any], context: type, skip: tuple[str, ...] = ()) -> None:
        name = name_of(function)
        inner = _inner(function)
        try:
            hints = typing.get_type_hints(inner, include_extras=True)
        except NameError as error:
            raise SchemaError(f"{name}: {error}; is the type defined at module level?") from None
        except Exception as error:
            raise SchemaError(f"{name}: its annotations cannot be read: {failure_text(error)}") from error
        try:
            taken = inspect.signature(function).parameters
        except (TypeError, ValueError) as error:
            raise SchemaError(f"{name}: what it takes is not known: {failure_text(error)}") from error
        self.description, described = docstring(inner.__doc__)
        self.returns: Any = hints.get("return", inspect.Parameter.empty)
        self.context: str | None = None
        self.required: list[str] = []
        self.described = described
        fields: dict[str, tuple[Type, bool]] = {}
        for at, (argument, parameter) in enumerate(taken.items()):
            annotation = hints.get(argument, parameter.annotation)
            if _is(annotation, context):
                self.context = argument
                continue
            if argument in skip:
                continue
            if at == 0 and argument in ("self", "cls") and annotation is parameter.empty:
                raise SchemaError(f"{name} is a method of a class; offer that of an object: server.tool(thing.method)")
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
                raise SchemaError(f"{name}: {stars}{argument} has no place in a schema")
            if parameter.kind is parameter.POSITIONAL_ONLY:
                raise SchemaError(f"{name}: {argument} is positional only; arguments have names")
            try:
                kind = of_annotation(annotation)
                written(kind.schema, "its schema")
            except Exception as error:
                raise SchemaError(f"{name}: {argument}: {failure_text(error)}") from error
            needed = parameter.default is parameter.empty
            if parameter.default is None and not _takes_null(kind):
                kind = _union([kind, _PLAIN[None]])
            schema = dict(kind.schema)
            if argument in described:
                schema.setdefault("description", described[argument])
            if needed:
                self.required.append(argument)
            else:
                with contextlib.suppress(Exception):
                    # What JSON has not is a default all the same.
                    default = plain(parameter.default)
                    written(default, argument)
                    schema["default"] = default
            fields[argument] = (Type(schema, kind.read), needed)
        self.names = list(fields)
        self._kinds = {argument: kind for argument, (kind, _) in fields.items()}
        self._object = _object(fields, dict, closed=True)
        self.schema = rooted(self._object.schema)

    def read(self, arguments: Any) -> dict[str, Any]:
        """The arguments as the function takes them."""
        try:
            found: dict[str, Any] = self._object.read(arguments, "")
        except SystemExit as error:
            raise ArgumentError(f"the arguments: reading them ended the program: {error!r}") from error
        return found

    def read_text(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The same of what comes as text, as in URIs and prompts: where the function takes no text, such as
        numbers, it is read as JSON."""
        return self.read({name: self._as_read(name, value) for name, value in arguments.items()})

    def _as_read(self, name: str, value: Any) -> Any:
        kind = self._kinds.get(name)
        if kind is None:
            return value
        try:
            kind.read(value, name)
        except ArgumentError:
            return _parsed(value)
        return value


def _parsed(value: Any) -> Any:
    try:
        return json.loads(value)
    except (TypeError, ValueError, RecursionError):
        return value


def name_of(function: Callable[..., Any]) -> str:
    """What a function is called, a partial one and an object that can be called too.

    >>> import functools
    >>> name_of(functools.partial(print, "x"))
    'print'
    """
    if not callable(function):
        raise TypeError(f"{function!r} cannot be called")
    while isinstance(function, functools.partial):
        function = function.func
    return str(getattr(function, "__name__", type(function).__name__))


def _inner(function: Callable[..., Any]) -> Any:
    """Where a function's annotations and its docstring are."""
    while isinstance(function, functools.partial):
        function = function.func
    if isinstance(function, type) or inspect.isroutine(function) or "__annotations__" in getattr(function, "__dict__", ()):
        return function
    return type(function).__call__


def _is(annotation: Any, context: type) -> bool:
    """Whether an annotation is of the context, which may be optional."""
    if isinstance(annotation, type):
        return issubclass(annotation, context)
    return typing.get_origin(annotation) in (typing.Union, types.UnionType, typing.Annotated) and any(
        _is(it, context) for it in typing.get_args(annotation)
    )


def _takes_null(kind: Type) -> bool:
    try:
        kind.read(None, "")
    except ArgumentError:
        return False
    return True


def written(value: Any, name: str) -> str:
    """A value as JSON; :class:`SchemaError` if it is none."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise SchemaError(f"{name}: what is said of it is not JSON: {failure_text(error)}") from None
    return text
