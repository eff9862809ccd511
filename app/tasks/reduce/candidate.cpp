#include "app/tasks/reduce/candidate.h"

#include "app/tasks/reduce/evaluation.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::Result;
using inspector::format::Cell;
using inspector::format::Dict;

constexpr std::int64_t candidateSchema = 1;

constexpr std::array failures{
    FailureInfo{FailureKind::Gap, "gap", "the result of an operator differs from the ETRecord's graph"},
    FailureInfo{FailureKind::Verify, "verify",
                "outputs differ from the ETRecord's graph, or from a run without the plugins"},
    FailureInfo{FailureKind::Crash, "crash", "the process crashes or does not finish"},
    FailureInfo{FailureKind::Nan, "nan", "finite inputs produce NaN"},
    FailureInfo{FailureKind::Slower, "slower",
                "it takes more than 5 % longer than --against, or than without the plugins"},
    FailureInfo{FailureKind::Command, "", "the command reports a failure"},
};

Cell numberCell(std::optional<std::size_t> number) {
    return number ? Cell(std::uint64_t{*number}) : Cell();
}

std::string textAt(const simdjson::dom::element& object, std::string_view key) {
    std::string_view text;
    return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

std::optional<std::size_t> numberAt(const simdjson::dom::element& object, std::string_view key) {
    std::uint64_t number = 0;
    return object[key].get(number) == simdjson::SUCCESS ? std::optional(static_cast<std::size_t>(number))
                                                        : std::nullopt;
}

bool truthAt(const simdjson::dom::element& object, std::string_view key) {
    bool truth = false;
    return object[key].get(truth) == simdjson::SUCCESS && truth;
}

}  // namespace

const FailureInfo& infoOf(FailureKind kind) {
    return failures[static_cast<std::size_t>(kind)];
}

Result<FailureKind> parseFailure(std::string_view text) {
    for (const FailureInfo& each : failures) {
        if (!each.name.empty() && each.name == text) {
            return each.kind;
        }
    }
    if (text.contains("{}")) {
        return FailureKind::Command;
    }
    return core::fail(
        ErrorCode::InvalidArgument,
        fmt::format("--fails: expected gap, verify, crash, nan, slower or a command with {{}} for the "
                    "file, got \"{}\"",
                    core::printable(text)));
}

CandidateReport checkCandidate(const CandidateSettings& settings, const CandidateBuilt& built) {
    CandidateReport report;
    if (auto done = evaluateCandidate(settings, built, report); !done) {
        report.fails = false;
        report.message = done.error().toString();
    }
    return report;
}

std::string candidateJson(const CandidateReport& report) {
    Dict content{{"built", report.isBuilt},
                 {"fails", report.fails},
                 {"signature", report.signature},
                 {"message", report.message},
                 {"expected", report.expected},
                 {"got", report.got},
                 {"inputs", std::uint64_t{report.inputs}},
                 {"sizes", partSizesText(report.sizes)},
                 {"constants", report.constants},
                 {"nodes", std::uint64_t{report.nodes}}};
    if (report.place) {
        content.emplace_back("instruction", std::uint64_t{report.place->instruction});
        content.emplace_back("node", numberCell(report.place->node));
    }
    return inspector::format::jsonDocument(candidateSchema, std::move(content));
}

Result<CandidateReport> readCandidateJson(std::string_view text) {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    const simdjson::padded_string padded(text);
    if (parser.parse(padded).get(root) != simdjson::SUCCESS || !root.is_object()) {
        return core::fail(ErrorCode::Format, "the candidate's process did not report JSON");
    }
    CandidateReport report{.isBuilt = truthAt(root, "built"),
                           .fails = truthAt(root, "fails"),
                           .signature = textAt(root, "signature"),
                           .message = textAt(root, "message"),
                           .expected = textAt(root, "expected"),
                           .got = textAt(root, "got"),
                           .place = {},
                           .inputs = numberAt(root, "inputs").value_or(0),
                           .sizes = {},
                           .constants = textAt(root, "constants"),
                           .nodes = numberAt(root, "nodes").value_or(0)};
    if (auto sizes = parsePartSizes(textAt(root, "sizes")); sizes && !textAt(root, "sizes").empty()) {
        report.sizes = *std::move(sizes);
    }
    if (const auto instruction = numberAt(root, "instruction")) {
        report.place = FailureLocation{.instruction = *instruction, .node = numberAt(root, "node")};
    }
    return report;
}

}  // namespace et::tasks
