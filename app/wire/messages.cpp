#include "app/wire/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <type_traits>

namespace et::wire {
namespace {

using core::Bytes;
using core::Result;

constexpr std::uint8_t debugLevels = 3;
constexpr std::uint8_t errorCodes = static_cast<std::uint8_t>(core::ErrorCode::Cancelled) + 1;

/// Writes the fields of a message. The names are those of FieldReader.
class FieldWriter {
  public:
    explicit FieldWriter(Encoder& to) : out(to) {}

    void number(std::string_view, std::integral auto value) { out.add(value); }
    void real(std::string_view, double value) { out.add(value); }
    void truth(std::string_view, bool value) { out.add(value); }
    void choice(std::string_view, auto value, std::uint8_t) { out.add(static_cast<std::uint8_t>(value)); }
    void block(std::string_view, Bytes value) { out.block(value); }
    void text(std::string_view, std::string_view value) { out.text(value); }
    void hash(std::string_view, std::string_view value) { out.text(value); }
    template <class T>
    void list(std::string_view, const std::vector<T>& values, auto each) {
        out.list(values, [&](Encoder&, const T& value) { each(*this, value); });
    }
    void hashes(std::string_view field, const std::vector<std::string>& values) {
        list(field, values, [&](FieldWriter& io, const std::string& value) { io.text(field, value); });
    }

  private:
    Encoder& out;
};

/// Reads the fields of a message; after an error, the remaining fields keep their defaults.
class FieldReader {
  public:
    explicit FieldReader(Decoder& from) : in(from) {}

    /// Errors: Format (names the first wrong field).
    [[nodiscard]] const Result<>& result() const { return outcome; }

    template <std::integral T>
    void number(std::string_view field, T& value) {
        read(value, [&] { return in.number<T>(field); });
    }
    void real(std::string_view field, double& value) {
        read(value, [&] { return in.real(field); });
    }
    void truth(std::string_view field, bool& value) {
        read(value, [&] { return in.truth(field); });
    }
    /// Reads a number below `count`.
    template <class T>
    void choice(std::string_view field, T& value, std::uint8_t count) {
        read(value, [&] { return in.choice<T>(field, count); });
    }
    void block(std::string_view field, Bytes& value) {
        read(value, [&] { return in.block(field); });
    }
    /// A std::string_view borrows from the message.
    void text(std::string_view field, auto& value) {
        read(value, [&] { return in.text(field); });
    }
    void hash(std::string_view field, std::string& value) {
        text(field, value);
        checkHash(value);
    }
    /// Calls `each` for new elements.
    template <class T>
    void list(std::string_view field, std::vector<T>& values, auto each) {
        std::uint32_t count = 0;
        constexpr std::size_t least = std::is_arithmetic_v<T> ? sizeof(T) : sizeof(std::uint64_t);
        read(count, [&] { return in.count(field, least); });
        for (std::uint32_t i = 0; i < count && outcome; ++i) {
            each(*this, values.emplace_back());
        }
    }
    void hashes(std::string_view field, std::vector<std::string>& values) {
        list(field, values, [&](FieldReader& io, std::string& value) { io.text(field, value); });
        for (const std::string& value : values) {
            checkHash(value);
        }
    }

  private:
    template <class T>
    void read(T& value, auto next) {
        if (!outcome) {
            return;
        }
        if (auto got = next()) {
            value = *std::move(got);
        } else {
            outcome = std::unexpected(std::move(got).error());
        }
    }
    void checkHash(std::string_view value) {
        if (outcome && !isHash(value)) {
            outcome =
                core::fail(core::ErrorCode::Format,
                           fmt::format("expected the hash of a file, got \"{}\"", core::printable(value)));
        }
    }

    Decoder& in;
    Result<> outcome;
};

/// T is Of or const Of: fields() serves both directions.
template <class T, class Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

void texts(auto& io, std::string_view field, auto& values) {
    io.list(field, values, [field](auto& each, auto& text) { each.text(field, text); });
}

void fields(auto& io, Is<DeviceState> auto& state) {
    io.number("core", state.core);
    io.list("clocks", state.kilohertz, [](auto& each, auto& clock) { each.number("clock", clock); });
    io.number("temperature", state.milliCelsius);
    io.number("throttling", state.throttled);
    io.number("memory", state.availableBytes);
    io.real("memory pressure", state.memoryPressure);
}

void fields(auto& io, Is<Listening> auto& listening) {
    io.truth("tracer", listening.isOn);
    io.choice("debug level", listening.debugLevel, debugLevels);
    io.truth("taps", listening.taps);
}

void fields(auto& io, Is<DeviceDescription> auto& description) {
    io.text("system", description.system);
    io.text("machine", description.machine);
    io.number("cores", description.cores);
    io.number("memory", description.memoryBytes);
    fields(io, description.state);
}

void fields(auto& io, Is<PutRequest> auto& request) {
    io.hash("hash", request.hash);
    io.number("size", request.size);
}

void fields(auto& io, Is<OpenRequest> auto& request) {
    io.number("module", request.module);
    io.hash("program", request.program);
    io.hashes("data", request.tensorData);
    texts(io, "backends", request.backendsOff);
    io.number("threads", request.threads);
    io.number("memory", request.memoryBytes);
    io.number("temporary memory", request.temporaryBytes);
    io.number("instructions", request.instructions);
    io.number("seed", request.seed);
}

void fields(auto& io, Is<LoadRequest> auto& request) {
    io.number("module", request.module);
    io.text("method", request.method);
    fields(io, request.listening);
}

void fields(auto& io, Is<ExecuteRequest> auto& request) {
    io.number("module", request.module);
    io.text("method", request.method);
    io.number("number", request.number);
    fields(io, request.listening);
    io.text("rule", request.keep.condition);
    io.number("runs of the rule", request.keep.last);
    io.block("inputs", request.inputs);
}

void fields(auto& io, Is<LoadReply> auto& reply) {
    io.number("time", reply.nanoseconds);
    texts(io, "names", reply.names);
    io.block("tape", reply.tape);
}

void fields(auto& io, Is<ExecuteReply> auto& reply) {
    io.number("time", reply.nanoseconds);
    io.number("instructions", reply.instructions);
    fields(io, reply.before);
    fields(io, reply.after);
    texts(io, "names", reply.names);
    io.list("tapes", reply.tapes, [](auto& each, auto& tape) { each.block("tape", tape); });
    io.block("outputs", reply.outputs);
}

void fields(auto& io, Is<FetchRequest> auto& request) {
    io.number("number", request.number);
    io.number("offset", request.offset);
}

void fields(auto& io, Is<Query> auto& query) {
    io.truth("tap", query.isTap);
    io.text("name", query.name);
    io.number("chain", query.chain);
    io.number("instruction", query.instruction);
    io.number("delegate id", query.delegateInt);
    io.text("delegate id", query.delegateString);
    io.number("value", query.value);
    io.number("debug handle", query.debugHandle);
}

void fields(auto& io, Is<core::Error> auto& error) {
    io.choice("code", error.code, errorCodes);
    io.text("message", error.message);
    io.text("field", error.where.field);
}

}  // namespace

bool isHash(std::string_view text) {
    constexpr std::size_t digits = 64;
    return text.size() == digits && std::ranges::all_of(text, [](char each) {
               return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f');
           });
}

template <class M>
std::vector<std::byte> encode(const M& message) {
    Encoder out;
    FieldWriter io(out);
    fields(io, message);
    return out.take();
}

template <class M>
Result<M> decode(Bytes body) {
    Decoder in(body);
    FieldReader io(in);
    M message;
    fields(io, message);
    ET_TRY(io.result());
    ET_TRY(in.end());
    return message;
}

template std::vector<std::byte> encode(const DeviceDescription&);
template std::vector<std::byte> encode(const PutRequest&);
template std::vector<std::byte> encode(const OpenRequest&);
template std::vector<std::byte> encode(const LoadRequest&);
template std::vector<std::byte> encode(const ExecuteRequest&);
template std::vector<std::byte> encode(const LoadReply&);
template std::vector<std::byte> encode(const ExecuteReply&);
template std::vector<std::byte> encode(const FetchRequest&);
template std::vector<std::byte> encode(const Query&);
template std::vector<std::byte> encode(const core::Error&);
template Result<DeviceDescription> decode(Bytes);
template Result<PutRequest> decode(Bytes);
template Result<OpenRequest> decode(Bytes);
template Result<LoadRequest> decode(Bytes);
template Result<ExecuteRequest> decode(Bytes);
template Result<LoadReply> decode(Bytes);
template Result<ExecuteReply> decode(Bytes);
template Result<FetchRequest> decode(Bytes);
template Result<Query> decode(Bytes);

core::Error decodeError(Bytes body) {
    Decoder in(body);
    FieldReader io(in);
    core::Error error;
    fields(io, error);
    return io.result() ? error : io.result().error();
}

std::vector<std::byte> encode(std::uint64_t number) {
    return Encoder().add(number).take();
}

Result<std::uint64_t> decodeNumber(Bytes body) {
    Decoder in(body);
    ET_ASSIGN(const auto number, in.number<std::uint64_t>("number"));
    ET_TRY(in.end());
    return number;
}

}  // namespace et::wire
