#pragma once

#include "app/tasks/model/element_fill.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/rewrite/part_maker.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A candidate: a part of a program that may fail like the whole. Built and checked in a separate process.
namespace et::tasks {

/// The way in which a program fails.
enum class FailureKind : std::uint8_t {
    Gap,      ///< an operator's result differs from the record's graph
    Verify,   ///< outputs differ from the record's graph, or from those without the plugins
    Crash,    ///< the process dies or does not end
    Nan,      ///< finite inputs produce NaN or infinity
    Slower,   ///< slower than the other side (OtherSide)
    Command,  ///< a command decides
};

struct FailureInfo {
    FailureKind kind;
    std::string_view name;     ///< value of --fails; empty: any other text is a command
    std::string_view meaning;  ///< for people
};
[[nodiscard]] const FailureInfo& infoOf(FailureKind kind);

/// Whether the record's graph, if there is one, is the reference for a part.
[[nodiscard]] constexpr bool usesGraphReference(FailureKind kind) {
    return kind == FailureKind::Gap || kind == FailureKind::Verify || kind == FailureKind::Command;
}

/// Parses the value of --fails. Errors: InvalidArgument (neither a known word nor a command with {}).
[[nodiscard]] core::Result<FailureKind> parseFailure(std::string_view text);

/// Describes a candidate and its output file.
struct CandidateSettings {
    std::filesystem::path model;
    ModelOptions options;
    FailureKind kind = FailureKind::Gap;
    std::string than{};                 ///< for FailureKind::Slower: parseOtherSide()
    PartChoice part;                    ///< no instructions means all
    bool addsRandom = false;            ///< adds two random sets to the inputs given by the options
    std::optional<std::size_t> inputs;  ///< index of the input set; nothing: all, until one fails
    /// Sizes of the part's inputs that replace the original ones. If the record's graph is the reference,
    /// such a part is checked alone against its own record (even if nothing changes); the same applies to a
    /// fill.
    std::optional<PartSizes> sizes{};
    SizeChanges constants{};       ///< with `sizes`: changed dimensions of constants, by original size
    std::optional<Fill> fill;      ///< value that replaces the part's floating-point inputs
    std::filesystem::path output;  ///< .bpte or .pte
};

/// Where the failure first shows, as far as the kind of failure reveals it.
struct FailureLocation {
    std::size_t instruction = 0;
    std::optional<std::size_t> node;  ///< of the delegate that the instruction calls
    bool operator==(const FailureLocation&) const = default;
};

/// Result of checking a candidate.
struct CandidateReport {
    bool isBuilt = false;  ///< the file was written
    bool fails = false;
    std::string signature{};        ///< must be equal for two failures to be the same
    std::string message{};          ///< one line: the failure, or why the candidate cannot be built
    std::string expected{}, got{};  ///< one differing value, if there is one
    std::optional<FailureLocation> place{};
    std::size_t inputs = 0;  ///< index of the first input set that fails
    PartSizes sizes{};       ///< of the inputs of the part
    std::string constants;   ///< with `sizes`: sizes of its constants above 1, as "48x8", largest first
    std::size_t nodes = 0;   ///< operators of the delegate, if the part is a delegate call
};

/// Called with the sizes of the inputs once the file is written, before it is run.
using CandidateBuilt = std::function<void(const PartSizes& sizes)>;

/// Builds the part, writes it and checks it. Errors are put in the report.
[[nodiscard]] CandidateReport checkCandidate(const CandidateSettings& settings, const CandidateBuilt& built);

/// Converts a report to one line of JSON, and back. Errors: Format.
[[nodiscard]] std::string candidateJson(const CandidateReport& report);
[[nodiscard]] core::Result<CandidateReport> readCandidateJson(std::string_view text);

}  // namespace et::tasks
