#include "app/tasks/sanitize/memory_finding.h"

#include "runtime/core/result.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <filesystem>

namespace et::tasks {
namespace {

using enum MemoryError;

/// In the order of MemoryError.
constexpr std::array errors{
    MemoryErrorInfo{OutOfBounds, "out_of_bounds", "access outside of a tensor"},
    MemoryErrorInfo{BeyondShape, "beyond_shape", "write beyond the resized shape"},
    MemoryErrorInfo{WriteToInput, "write_to_input", "write to an input of the method"},
    MemoryErrorInfo{WriteToConstant, "write_to_constant", "write to a constant"},
    MemoryErrorInfo{WriteToArgument, "write_to_argument", "write to an argument that is not an output"},
    MemoryErrorInfo{StaleMemory, "stale_memory", "access to a tensor that is not an argument"},
    MemoryErrorInfo{StaleScratch, "stale_scratch", "access to temporary memory of an earlier call"},
    MemoryErrorInfo{ScratchOverrun, "scratch_overrun", "access outside of temporary memory"},
    MemoryErrorInfo{Uninitialized, "uninitialized", "result depends on uninitialized memory"},
    MemoryErrorInfo{NotWritten, "not_written", "output is not fully written"},
    MemoryErrorInfo{Nondeterministic, "nondeterministic", "equal calls have different results"},
    MemoryErrorInfo{PlanOverlap, "plan_overlap", "memory plan reuses a value that is still needed"},
    MemoryErrorInfo{ReadBeforeWrite, "read_before_write", "value is read before it is written"},
    MemoryErrorInfo{BrokenAlias, "broken_alias",
                    "memory plan separates input and output of an in-place operator"},
    MemoryErrorInfo{Crash, "crash", "crash"},
};
static_assert([] {
    for (std::size_t i = 0; i < errors.size(); ++i) {
        if (errors[i].kind != static_cast<MemoryError>(i)) {
            return false;
        }
    }
    return true;
}());

}  // namespace

const MemoryErrorInfo& traits(MemoryError kind) {
    return errors[static_cast<std::size_t>(kind)];
}

std::span<const MemoryErrorInfo> memoryErrors() {
    return errors;
}

std::string MemoryFinding::accessText() const {
    std::string text;
    if (isWrite) {
        text = *isWrite ? "write" : "read";
        text += accessBytes > 0 ? fmt::format(" of {} bytes", accessBytes) : "";
    } else if (bytes > 0) {
        text = fmt::format("{} bytes", bytes);
    }
    if (offset) {
        text += fmt::format("{}at byte {}", text.empty() ? "" : " ", *offset);
    }
    if (element) {
        text += fmt::format(" (element {})", *element);
    }
    return text;
}

std::string MemoryFinding::placeText() const {
    std::string text = instruction < 0 ? std::string("end of the execution")
                                       : fmt::format("{}instruction {} ({})",
                                                     chain == 0 ? "" : fmt::format("chain {}, ", chain),
                                                     instruction, core::printable(op));
    if (argument) {
        text += fmt::format(", argument {}", *argument);
        text += argumentName.empty() ? "" : fmt::format(" ({})", core::printable(argumentName));
    }
    return text;
}

std::string MemoryFinding::summary() const {
    const std::string access = accessText();
    return fmt::format("{}{}{}, {}{}", traits(kind).meaning, access.empty() ? "" : ": ", access, placeText(),
                       detail.empty() ? "" : ": " + core::printable(detail));
}

std::string MemoryFinding::codeText() const {
    if (function.empty() && library.empty()) {
        return {};
    }
    std::string text = function.empty() ? std::string("unknown function") : function;
    if (!sourceFile.empty()) {
        text += fmt::format(" ({}:{})", sourceFile, sourceLine);
    }
    if (!library.empty()) {
        text += fmt::format(" in {}", std::filesystem::path(library).filename().string());
    }
    return core::printable(text);
}

std::string MemoryFinding::line() const {
    std::string text = summary();
    if (value) {
        text += fmt::format("; value {}{}", *value, type.empty() ? "" : ", " + type);
    }
    for (const std::string& more : {codeText(), core::printable(python)}) {
        text += more.empty() ? "" : "; " + more;
    }
    return text;
}

bool MemoryFinding::isSame(const MemoryFinding& other) const {
    const bool isBefore = offset.value_or(0) < 0;
    return kind == other.kind && chain == other.chain && instruction == other.instruction &&
           argument == other.argument && value == other.value && method == other.method &&
           isBefore == (other.offset.value_or(0) < 0) &&
           (!isWrite || !other.isWrite || *isWrite == *other.isWrite);
}

}  // namespace et::tasks
