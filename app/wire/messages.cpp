#include "app/wire/messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::wire {
namespace {

using core::Bytes;
using core::Result;

constexpr std::uint8_t debugLevels = 3;
constexpr std::uint8_t errorCodes = static_cast<std::uint8_t>(core::ErrorCode::Cancelled) + 1;

void add(Encoder& out, const Listening& listening) {
    out.add(listening.isOn).add(static_cast<std::uint8_t>(listening.debugLevel)).add(listening.taps);
}

Result<Listening> listeningOf(Decoder& in) {
    Listening listening;
    ET_ASSIGN(listening.isOn, in.truth("tracer"));
    ET_ASSIGN(listening.debugLevel, in.choice<core::DebugLevel>("debug level", debugLevels));
    ET_ASSIGN(listening.taps, in.truth("taps"));
    return listening;
}

void addTexts(Encoder& out, const auto& texts) {
    out.list(texts, [](Encoder& each, std::string_view text) { each.text(text); });
}

/// Reads a list of texts; T borrows or copies.
template <class T>
Result<std::vector<T>> texts(Decoder& in, std::string_view field) {
    ET_ASSIGN(const std::uint32_t count, in.count(field, sizeof(std::uint64_t)));
    std::vector<T> all;
    for (std::uint32_t i = 0; i < count; ++i) {
        ET_ASSIGN(const std::string_view text, in.text(field));
        all.emplace_back(text);
    }
    return all;
}

Result<std::string> hashOf(std::string_view text) {
    if (!isHash(text)) {
        return core::fail(core::ErrorCode::Format,
                          fmt::format("expected the hash of a file, got \"{}\"", core::printable(text)));
    }
    return std::string(text);
}

/// Returns `message` unless unread bytes remain.
template <class T>
Result<T> complete(const Decoder& in, T message) {
    ET_TRY(in.end());
    return message;
}

}  // namespace

bool isHash(std::string_view text) {
    constexpr std::size_t digits = 64;
    return text.size() == digits && std::ranges::all_of(text, [](char each) {
               return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f');
           });
}

std::vector<std::byte> encode(const DeviceDescription& description) {
    Encoder out;
    out.text(description.system).text(description.machine).add(description.cores);
    out.add(description.memoryBytes);
    encodeState(out, description.state);
    return out.take();
}

Result<DeviceDescription> decodeDescription(Bytes body) {
    Decoder in(body);
    DeviceDescription description;
    ET_ASSIGN(const std::string_view system, in.text("system"));
    description.system = system;
    ET_ASSIGN(const std::string_view machine, in.text("machine"));
    description.machine = machine;
    ET_ASSIGN(description.cores, in.number<std::uint32_t>("cores"));
    ET_ASSIGN(description.memoryBytes, in.number<std::uint64_t>("memory"));
    ET_ASSIGN(description.state, decodeState(in));
    return complete(in, std::move(description));
}

std::vector<std::byte> encode(const PutRequest& request) {
    return Encoder().text(request.hash).add(request.size).take();
}

Result<PutRequest> decodePut(Bytes body) {
    Decoder in(body);
    PutRequest request;
    ET_ASSIGN(const std::string_view hash, in.text("hash"));
    ET_ASSIGN(request.hash, hashOf(hash));
    ET_ASSIGN(request.size, in.number<std::uint64_t>("size"));
    return complete(in, std::move(request));
}

std::vector<std::byte> encode(const OpenRequest& request) {
    Encoder out;
    out.add(request.module).text(request.program);
    addTexts(out, request.tensorData);
    addTexts(out, request.backendsOff);
    out.add(request.threads).add(request.memoryBytes).add(request.temporaryBytes);
    return out.add(request.instructions).add(request.seed).take();
}

Result<OpenRequest> decodeOpen(Bytes body) {
    Decoder in(body);
    OpenRequest request;
    ET_ASSIGN(request.module, in.number<std::uint32_t>("module"));
    ET_ASSIGN(const std::string_view program, in.text("program"));
    ET_ASSIGN(request.program, hashOf(program));
    ET_ASSIGN(const auto data, texts<std::string_view>(in, "data"));
    for (const std::string_view each : data) {
        ET_ASSIGN(std::string hash, hashOf(each));
        request.tensorData.push_back(std::move(hash));
    }
    ET_ASSIGN(request.backendsOff, texts<std::string>(in, "backends"));
    ET_ASSIGN(request.threads, in.number<std::uint32_t>("threads"));
    ET_ASSIGN(request.memoryBytes, in.number<std::uint64_t>("memory"));
    ET_ASSIGN(request.temporaryBytes, in.number<std::uint64_t>("temporary memory"));
    ET_ASSIGN(request.instructions, in.number<std::uint64_t>("instructions"));
    ET_ASSIGN(request.seed, in.number<std::uint64_t>("seed"));
    return complete(in, std::move(request));
}

std::vector<std::byte> encode(const LoadRequest& request) {
    Encoder out;
    out.add(request.module).text(request.method);
    add(out, request.listening);
    return out.take();
}

Result<LoadRequest> decodeLoad(Bytes body) {
    Decoder in(body);
    LoadRequest request;
    ET_ASSIGN(request.module, in.number<std::uint32_t>("module"));
    ET_ASSIGN(request.method, in.text("method"));
    ET_ASSIGN(request.listening, listeningOf(in));
    return complete(in, request);
}

std::vector<std::byte> encode(const ExecuteRequest& request) {
    Encoder out;
    out.add(request.module).text(request.method).add(request.number);
    add(out, request.listening);
    out.add(static_cast<std::uint8_t>(request.keep.condition))
        .add(request.keep.nanoseconds)
        .add(request.keep.last);
    return out.block(request.inputs).take();
}

Result<ExecuteRequest> decodeExecute(Bytes body) {
    Decoder in(body);
    ExecuteRequest request;
    ET_ASSIGN(request.module, in.number<std::uint32_t>("module"));
    ET_ASSIGN(request.method, in.text("method"));
    ET_ASSIGN(request.number, in.number<std::uint64_t>("number"));
    ET_ASSIGN(request.listening, listeningOf(in));
    ET_ASSIGN(request.keep.condition, in.choice<KeepRule::Condition>("rule", keepRules));
    ET_ASSIGN(request.keep.nanoseconds, in.number<std::uint64_t>("time of the rule"));
    ET_ASSIGN(request.keep.last, in.number<std::uint32_t>("runs of the rule"));
    ET_ASSIGN(request.inputs, in.block("inputs"));
    return complete(in, request);
}

std::vector<std::byte> encode(const LoadReply& reply) {
    Encoder out;
    out.add(reply.nanoseconds);
    addTexts(out, reply.names);
    return out.block(reply.tape).take();
}

Result<LoadReply> decodeLoaded(Bytes body) {
    Decoder in(body);
    LoadReply reply;
    ET_ASSIGN(reply.nanoseconds, in.number<std::uint64_t>("time"));
    ET_ASSIGN(reply.names, texts<std::string_view>(in, "names"));
    ET_ASSIGN(reply.tape, in.block("tape"));
    return complete(in, std::move(reply));
}

std::vector<std::byte> encode(const ExecuteReply& reply) {
    Encoder out;
    out.add(reply.nanoseconds).add(reply.instructions);
    encodeState(out, reply.before);
    encodeState(out, reply.after);
    addTexts(out, reply.names);
    out.list(reply.tapes, [](Encoder& each, Bytes tape) { each.block(tape); });
    return out.block(reply.outputs).take();
}

Result<ExecuteReply> decodeRan(Bytes body) {
    Decoder in(body);
    ExecuteReply reply;
    ET_ASSIGN(reply.nanoseconds, in.number<std::uint64_t>("time"));
    ET_ASSIGN(reply.instructions, in.number<std::uint64_t>("instructions"));
    ET_ASSIGN(reply.before, decodeState(in));
    ET_ASSIGN(reply.after, decodeState(in));
    ET_ASSIGN(reply.names, texts<std::string_view>(in, "names"));
    ET_ASSIGN(const std::uint32_t tapes, in.count("tapes", sizeof(std::uint64_t)));
    for (std::uint32_t i = 0; i < tapes; ++i) {
        ET_ASSIGN(const Bytes tape, in.block("tape"));
        reply.tapes.push_back(tape);
    }
    ET_ASSIGN(reply.outputs, in.block("outputs"));
    return complete(in, std::move(reply));
}

std::vector<std::byte> encode(const FetchRequest& request) {
    return Encoder().add(request.number).add(request.offset).take();
}

Result<FetchRequest> decodeFetch(Bytes body) {
    Decoder in(body);
    FetchRequest request;
    ET_ASSIGN(request.number, in.number<std::uint64_t>("number"));
    ET_ASSIGN(request.offset, in.number<std::uint64_t>("offset"));
    return complete(in, request);
}

std::vector<std::byte> encode(const Query& query) {
    return Encoder()
        .add(query.isTap)
        .text(query.name)
        .add(query.chain)
        .add(query.instruction)
        .add(query.delegateInt)
        .text(query.delegateString)
        .add(query.value)
        .add(query.debugHandle)
        .take();
}

Result<Query> decodeQuery(Bytes body) {
    Decoder in(body);
    Query query;
    ET_ASSIGN(query.isTap, in.truth("tap"));
    ET_ASSIGN(query.name, in.text("name"));
    ET_ASSIGN(query.chain, in.number<std::int64_t>("chain"));
    ET_ASSIGN(query.instruction, in.number<std::int32_t>("instruction"));
    ET_ASSIGN(query.delegateInt, in.number<std::int32_t>("delegate id"));
    ET_ASSIGN(query.delegateString, in.text("delegate id"));
    ET_ASSIGN(query.value, in.number<std::uint32_t>("value"));
    ET_ASSIGN(query.debugHandle, in.number<std::int64_t>("debug handle"));
    return complete(in, query);
}

std::vector<std::byte> encode(const core::Error& error) {
    return Encoder()
        .add(static_cast<std::uint8_t>(error.code))
        .text(error.message)
        .text(error.where.field)
        .take();
}

core::Error decodeError(Bytes body) {
    Decoder in(body);
    const auto decoded = [&]() -> Result<core::Error> {
        core::Error error;
        ET_ASSIGN(error.code, in.choice<core::ErrorCode>("code", errorCodes));
        ET_ASSIGN(const std::string_view message, in.text("message"));
        ET_ASSIGN(const std::string_view field, in.text("field"));
        error.message = message;
        error.where.field = field;
        return error;
    }();
    return decoded ? *decoded : decoded.error();
}

std::vector<std::byte> encode(std::uint64_t number) {
    return Encoder().add(number).take();
}

Result<std::uint64_t> decodeNumber(Bytes body) {
    Decoder in(body);
    ET_ASSIGN(const auto number, in.number<std::uint64_t>("number"));
    return complete(in, number);
}

}  // namespace et::wire
