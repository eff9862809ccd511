#include "app/tasks/debug/debug_process.h"
#include "app/wire/codec.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::uint64_t maxMessage = std::uint64_t{256} << 20U;
constexpr std::uint8_t errorCodeCount = static_cast<std::uint8_t>(ErrorCode::Cancelled) + 1;

void addTexts(wire::Encoder& out, const std::vector<std::string>& texts) {
    out.list(texts, [](wire::Encoder& each, const std::string& text) { each.text(text); });
}

Result<std::vector<std::string>> readTexts(wire::Decoder& in) {
    ET_ASSIGN(const std::uint32_t count, in.count("lines", sizeof(std::uint64_t)));
    std::vector<std::string> texts;
    for (std::uint32_t i = 0; i < count; ++i) {
        ET_ASSIGN(const std::string_view text, in.text("line"));
        texts.emplace_back(text);
    }
    return texts;
}

Result<std::string> readText(wire::Decoder& in, std::string_view field) {
    ET_ASSIGN(const std::string_view text, in.text(field));
    return std::string(text);
}

}  // namespace

Result<> sendMessage(int to, core::Bytes message) {
    const auto size =
        std::bit_cast<std::array<std::byte, sizeof(std::uint64_t)>>(std::uint64_t{message.size()});
    int failed = core::writeAll(to, size);
    failed = failed == 0 ? core::writeAll(to, message) : failed;
    return failed == 0 ? Result<>() : fail(ErrorCode::Io, "the process of the model ended");
}

Result<std::vector<std::byte>> receiveMessage(const wire::ReadAll& read) {
    std::array<std::byte, sizeof(std::uint64_t)> size{};
    ET_TRY(read(size));
    const auto bytes = std::bit_cast<std::uint64_t>(size);
    if (bytes > maxMessage) {
        return fail(ErrorCode::Limit, fmt::format("a message of {} bytes is too long", bytes));
    }
    std::vector<std::byte> message(bytes);
    ET_TRY(read(message));
    return message;
}

std::vector<std::byte> encode(const DebugRequest& request) {
    wire::Encoder out;
    out.add(static_cast<std::uint8_t>(request.kind)).text(request.line);
    addTexts(out, request.definitions);
    addTexts(out, request.executions);
    out.add(request.runsAgain)
        .add(request.firstBranch)
        .add(request.branch)
        .add(request.execution)
        .add(request.step)
        .add(request.chain)
        .add(request.instruction)
        .text(request.message);
    return out.take();
}

Result<DebugRequest> decodeRequest(core::Bytes message) {
    constexpr std::uint8_t kinds = 3;
    wire::Decoder in(message);
    DebugRequest request;
    ET_ASSIGN(request.kind, in.choice<DebugRequest::Kind>("kind", kinds));
    ET_ASSIGN(request.line, readText(in, "line"));
    ET_ASSIGN(request.definitions, readTexts(in));
    ET_ASSIGN(request.executions, readTexts(in));
    ET_ASSIGN(request.runsAgain, in.truth("replay"));
    ET_ASSIGN(request.firstBranch, in.number<std::uint64_t>("first branch"));
    ET_ASSIGN(request.branch, in.number<std::uint64_t>("branch"));
    ET_ASSIGN(request.execution, in.number<std::uint64_t>("execution"));
    ET_ASSIGN(request.step, in.number<std::uint64_t>("step"));
    ET_ASSIGN(request.chain, in.number<std::int32_t>("chain"));
    ET_ASSIGN(request.instruction, in.number<std::int32_t>("instruction"));
    ET_ASSIGN(request.message, readText(in, "message"));
    return request;
}

std::vector<std::byte> encode(const DebugResponse& response) {
    wire::Encoder out;
    out.text(response.text).add(response.isAnswer).add(response.quits).text(response.definition);
    out.add(response.isReset)
        .text(response.begun)
        .text(response.plugin)
        .text(response.saved.file)
        .block(response.saved.bytes)
        .block(response.edited);
    out.add(response.error.has_value());
    if (response.error) {
        out.add(static_cast<std::uint8_t>(response.error->code)).text(response.error->message);
        out.text(response.error->where.file).text(response.error->where.field);
    }
    return out.take();
}

Result<DebugResponse> decodeResponse(core::Bytes message) {
    wire::Decoder in(message);
    DebugResponse response;
    ET_ASSIGN(response.text, readText(in, "text"));
    ET_ASSIGN(response.isAnswer, in.truth("answer"));
    ET_ASSIGN(response.quits, in.truth("end"));
    ET_ASSIGN(response.definition, readText(in, "definition"));
    ET_ASSIGN(response.isReset, in.truth("reset"));
    ET_ASSIGN(response.begun, readText(in, "execution"));
    ET_ASSIGN(response.plugin, readText(in, "plugin"));
    ET_ASSIGN(response.saved.file, readText(in, "recording's file"));
    ET_ASSIGN(const core::Bytes recording, in.block("recording"));
    response.saved.bytes.assign(recording.begin(), recording.end());
    ET_ASSIGN(const core::Bytes edited, in.block("edited recording"));
    response.edited.assign(edited.begin(), edited.end());
    ET_ASSIGN(const bool failed, in.truth("error"));
    if (failed) {
        core::Error error;
        ET_ASSIGN(error.code, in.choice<ErrorCode>("code", errorCodeCount));
        ET_ASSIGN(error.message, readText(in, "message"));
        ET_ASSIGN(error.where.file, readText(in, "file"));
        ET_ASSIGN(error.where.field, readText(in, "field"));
        response.error = std::move(error);
    }
    return response;
}

}  // namespace et::tasks
