#include "etrecord/pickle.h"

#include "etrecord/detail/pickle_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace et::etrecord {
namespace detail {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::Result;
using Machine = PickleMachine;

constexpr std::int64_t newestProtocol = 5;

struct Opcode {
    char code;
    Result<> (*execute)(Machine&);
};

template <auto Operation>
Result<> execute(Machine& machine) {
    return (machine.*Operation)();
}

// The opcodes are documented in Python's Lib/pickletools.py.
constexpr std::array opcodes{
    Opcode{'\x80', execute<&Machine::protocol>},
    Opcode{'\x95', execute<&Machine::frame>},
    Opcode{'N', [](Machine& machine) { return machine.push(std::monostate{}); }},
    Opcode{'\x88', [](Machine& machine) { return machine.push(true); }},
    Opcode{'\x89', [](Machine& machine) { return machine.push(false); }},
    Opcode{'K', execute<&Machine::pushInteger<std::uint8_t>>},
    Opcode{'M', execute<&Machine::pushInteger<std::uint16_t>>},
    Opcode{'J', execute<&Machine::pushInteger<std::int32_t>>},
    Opcode{'\x8a', execute<&Machine::pushLong<std::uint8_t>>},
    Opcode{'\x8b', execute<&Machine::pushLong<std::uint32_t>>},
    Opcode{'G', execute<&Machine::pushFloat>},
    Opcode{'\x8c', execute<&Machine::pushText<std::uint8_t>>},
    Opcode{'X', execute<&Machine::pushText<std::uint32_t>>},
    Opcode{'\x8d', execute<&Machine::pushText<std::uint64_t>>},
    Opcode{'C', execute<&Machine::pushBytes<std::uint8_t>>},
    Opcode{'B', execute<&Machine::pushBytes<std::uint32_t>>},
    Opcode{'\x8e', execute<&Machine::pushBytes<std::uint64_t>>},
    Opcode{'\x96', execute<&Machine::pushBytes<std::uint64_t>>},
    Opcode{'c', execute<&Machine::pushGlobal>},
    Opcode{'\x93', execute<&Machine::pushStackGlobal>},
    Opcode{'Q', execute<&Machine::pushPersistent>},
    Opcode{'(', execute<&Machine::mark>},
    Opcode{'0', execute<&Machine::pop>},
    Opcode{'1', execute<&Machine::popMark>},
    Opcode{'2', execute<&Machine::duplicate>},
    Opcode{')', execute<&Machine::tuple<0>>},
    Opcode{'\x85', execute<&Machine::tuple<1>>},
    Opcode{'\x86', execute<&Machine::tuple<2>>},
    Opcode{'\x87', execute<&Machine::tuple<3>>},
    Opcode{'t', execute<&Machine::tupleFromMark>},
    Opcode{']', [](Machine& machine) { return machine.push(PickleList{}); }},
    Opcode{'l', execute<&Machine::listFromMark>},
    Opcode{'}', [](Machine& machine) { return machine.push(PickleDict{}); }},
    Opcode{'d', execute<&Machine::dictFromMark>},
    Opcode{'\x8f', [](Machine& machine) { return machine.push(PickleList{}); }},  // a set
    Opcode{'\x91', execute<&Machine::listFromMark>},                              // a frozen set
    Opcode{'\x90', execute<&Machine::appends>},                                   // into a set
    Opcode{'a', execute<&Machine::append>},
    Opcode{'e', execute<&Machine::appends>},
    Opcode{'s', execute<&Machine::setItem>},
    Opcode{'u', execute<&Machine::setItems>},
    Opcode{'R', execute<&Machine::call>},
    Opcode{'\x81', execute<&Machine::call>},
    Opcode{'\x92', execute<&Machine::callWithKeywords>},
    Opcode{'b', execute<&Machine::build>},
    Opcode{'q', execute<&Machine::put<std::uint8_t>>},
    Opcode{'r', execute<&Machine::put<std::uint32_t>>},
    Opcode{'\x94', execute<&Machine::memoize>},
    Opcode{'h', execute<&Machine::get<std::uint8_t>>},
    Opcode{'j', execute<&Machine::get<std::uint32_t>>},
    Opcode{'.', execute<&Machine::stop>},
};

}  // namespace

Result<Pickle> PickleMachine::run() {
    if (text.size() > limits.bytes) {
        return error(ErrorCode::Limit,
                     fmt::format("{} bytes exceed the maximum of {}", text.size(), limits.bytes));
    }
    while (!done) {
        opcodeAt = reader.position();
        ET_ASSIGN(const auto code, readNumber<std::uint8_t>());
        const auto* opcode = std::ranges::find(opcodes, static_cast<char>(code), &Opcode::code);
        if (opcode == opcodes.end()) {
            return error(ErrorCode::Unsupported,
                         fmt::format("opcode 0x{:02x} does not belong to the binary protocols 2 to {}", code,
                                     newestProtocol));
        }
        ET_TRY(opcode->execute(*this));
    }
    return std::move(pickle);
}

template <class T>
Result<T> PickleMachine::readNumber() {
    return reader.read<T>("").transform_error(
        [&](const core::Error&) { return error(ErrorCode::Format, "ends inside an opcode").error(); });
}

Result<Bytes> PickleMachine::take(std::uint64_t size) {
    if (size > reader.remaining()) {
        return error(ErrorCode::Format,
                     fmt::format("expected {} more bytes, got {}", size, reader.remaining()));
    }
    return reader.take(size, "");
}

template <class Length>
Result<Bytes> PickleMachine::takeSized() {
    ET_ASSIGN(const Length length, readNumber<Length>());
    return take(length);
}

Result<std::string_view> PickleMachine::takeLine() {
    const std::string_view rest = core::textOf(text.subspan(reader.position()));
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
        return error(ErrorCode::Format, "expected the end of a line");
    }
    ET_ASSIGN(const Bytes line, take(end + 1));
    return core::textOf(line).substr(0, end);
}

Result<> PickleMachine::protocol() {
    ET_ASSIGN(const auto version, readNumber<std::uint8_t>());
    if (version < 2 || version > newestProtocol) {
        return error(ErrorCode::Unsupported,
                     fmt::format("expected a protocol from 2 to {}, got {}", newestProtocol, version));
    }
    return {};
}

Result<> PickleMachine::frame() {
    return readNumber<std::uint64_t>().transform([](std::uint64_t) {});  // only a hint for stream readers
}

template <class T>
Result<> PickleMachine::pushInteger() {
    ET_ASSIGN(const T value, readNumber<T>());
    return push(std::int64_t{value});
}

/// An integer of any size, little-endian two's complement; only 64 bits are supported.
template <class Length>
Result<> PickleMachine::pushLong() {
    ET_ASSIGN(const Bytes bytes, takeSized<Length>());
    if (bytes.size() > sizeof(std::int64_t)) {
        return error(ErrorCode::Limit,
                     fmt::format("an integer of {} bytes exceeds the maximum of 8", bytes.size()));
    }
    const bool negative = !bytes.empty() && (bytes.back() & std::byte{0x80}) != std::byte{};
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        value = (value << 8U) | std::to_integer<std::uint64_t>(bytes[i]);
    }
    return push(std::bit_cast<std::int64_t>(value));
}

Result<> PickleMachine::pushFloat() {
    ET_ASSIGN(const auto bits, readNumber<std::uint64_t>());
    return push(std::bit_cast<double>(std::byteswap(bits)));  // the only big-endian number of the format
}

template <class Length>
Result<> PickleMachine::pushText() {
    ET_ASSIGN(const Bytes bytes, takeSized<Length>());
    return push(core::textOf(bytes));
}

template <class Length>
Result<> PickleMachine::pushBytes() {
    ET_ASSIGN(const Bytes bytes, takeSized<Length>());
    return push(PickleBytes{bytes});
}

Result<> PickleMachine::pushGlobal() {
    ET_ASSIGN(const std::string_view module, takeLine());
    ET_ASSIGN(const std::string_view global, takeLine());
    return push(PickleGlobal{.module = module, .name = global});
}

template <std::size_t Count>
Result<> PickleMachine::tuple() {
    PickleTuple made{.items = std::vector<PickleId>(Count)};
    for (std::size_t i = Count; i-- > 0;) {
        ET_ASSIGN(made.items[i], popValue());
    }
    return push(std::move(made));
}

template <class Key>
Result<> PickleMachine::put() {
    ET_ASSIGN(const Key key, readNumber<Key>());
    return remember(key);
}

template <class Key>
Result<> PickleMachine::get() {
    ET_ASSIGN(const Key key, readNumber<Key>());
    const auto found = memo.find(key);
    if (found == memo.end()) {
        return error(ErrorCode::Format, fmt::format("no memo entry {}", key));
    }
    stack.push_back(found->second);
    return {};
}

}  // namespace detail

core::Result<Pickle> Pickle::parse(core::Bytes bytes, std::string_view name,
                                   std::span<const PickleCallable> callables, PickleLimits limits) {
    return detail::PickleMachine(bytes, name, callables, limits).run();
}

}  // namespace et::etrecord
