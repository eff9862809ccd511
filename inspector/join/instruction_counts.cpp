#include "inspector/join/instruction_counts.h"

#include "inspector/join/counts_schema.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace et::inspector {

namespace dom = simdjson::dom;
using core::ErrorCode;
using core::Result;

namespace {

constexpr std::size_t maxCountsBytes = std::size_t{64} << 20U;
std::unexpected<core::Error> wrongCount(std::string field, std::string_view expected) {
    return core::fail(ErrorCode::Format, fmt::format("expected {}", expected), {.field = std::move(field)});
}

Result<std::uint64_t> wholeNumber(dom::object from, std::string_view name, const std::string& place) {
    std::uint64_t found = 0;
    if (from[name].get(found) != simdjson::SUCCESS) {
        return wrongCount(fmt::format("{}{}", place, name), "a non-negative integer");
    }
    return found;
}

/// Returns nothing if the field is null or missing.
Result<std::optional<double>> countIn(dom::object from, std::string_view name, const std::string& place) {
    dom::element found;
    if (from[name].get(found) != simdjson::SUCCESS || found.is_null()) {
        return std::nullopt;
    }
    double number = 0;
    if (found.get(number) != simdjson::SUCCESS || !std::isfinite(number) || number < 0) {
        return wrongCount(fmt::format("{}{}", place, name), "null or a non-negative number");
    }
    return number;
}

Result<> readInstruction(dom::element from, std::size_t index, InstructionCounts& to) {
    const std::string place = fmt::format("instructions[{}].", index);
    dom::object object;
    if (from.get(object) != simdjson::SUCCESS) {
        return wrongCount(fmt::format("instructions[{}]", index), "an object");
    }
    ET_ASSIGN(const std::uint64_t chain, wholeNumber(object, "chain", place));
    ET_ASSIGN(const std::uint64_t instruction, wholeNumber(object, "instruction", place));
    CountsOfInstruction counts;
    for (std::size_t i = 0; i < counterKinds; ++i) {
        ET_ASSIGN(counts[i], countIn(object, counterInfos[i].name, place));
    }
    to.instructions.insert_or_assign(
        {static_cast<std::int64_t>(chain), static_cast<std::int64_t>(instruction)}, counts);
    return {};
}

Result<> readCounts(dom::element from, InstructionCounts& to) {
    dom::object object;
    dom::object trace;
    std::string_view method;
    dom::array instructions;
    if (from.get(object) != simdjson::SUCCESS) {
        return wrongCount({}, "an object");
    }
    ET_ASSIGN(const std::uint64_t schema, wholeNumber(object, "schema", {}));
    if (std::cmp_not_equal(schema, countsSchema)) {
        return wrongCount("schema", fmt::format("{}, got {}", countsSchema, schema));
    }
    if (object["method"].get(method) != simdjson::SUCCESS) {
        return wrongCount("method", "a text");
    }
    if (object["trace"].get(trace) != simdjson::SUCCESS) {
        return wrongCount("trace", "an object");
    }
    to.method = method;
    ET_ASSIGN(to.trace.events, wholeNumber(trace, "events", "trace."));
    ET_ASSIGN(to.trace.firstStart, wholeNumber(trace, "first_start", "trace."));
    if (object["instructions"].get(instructions) != simdjson::SUCCESS) {
        return wrongCount("instructions", "an array");
    }
    std::size_t index = 0;
    for (const dom::element each : instructions) {
        ET_TRY(readInstruction(each, index++, to));
    }
    return {};
}

}  // namespace

TraceMark markOf(const etdump::Trace& trace) {
    const auto& starts = trace.events().start;
    return {.events = starts.size(), .firstStart = starts.empty() ? 0 : starts.front()};
}

std::filesystem::path InstructionCounts::fileOf(const std::filesystem::path& trace) {
    return trace.string() + ".counters.json";
}

Result<std::shared_ptr<const InstructionCounts>> InstructionCounts::open(const std::filesystem::path& file) {
    ET_ASSIGN(auto mapped, core::MappedFile::open(file));
    return parse(std::move(mapped));
}

Result<std::shared_ptr<const InstructionCounts>> InstructionCounts::parse(
    std::shared_ptr<const core::MappedFile> file) {
    const core::Bytes bytes = file->bytes();
    if (bytes.size() > maxCountsBytes) {
        return core::fail(ErrorCode::Limit,
                          fmt::format("{} bytes exceed the maximum of {}", bytes.size(), maxCountsBytes),
                          {.file = file->name(), .field = {}, .offset = {}});
    }
    dom::parser parser;
    dom::element root;
    const auto failed = parser.parse(reinterpret_cast<const char*>(bytes.data()), bytes.size()).get(root);
    if (failed != simdjson::SUCCESS) {
        return core::fail(ErrorCode::Format, fmt::format("invalid JSON: {}", simdjson::error_message(failed)),
                          {.file = file->name(), .field = {}, .offset = {}});
    }
    auto made = std::make_shared<InstructionCounts>();
    if (auto read = readCounts(root, *made); !read) {
        return std::unexpected(std::move(read).error().in(file->name()));
    }
    made->file = std::move(file);
    return made;
}

}  // namespace et::inspector
