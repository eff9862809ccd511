#include "runtime/executor/allocators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace et::executor {
namespace {

using enum MemoryKind;

/// In the order of MemoryKind.
constexpr std::array kinds{
    MemoryKindInfo{PlannedArena, "planned_arena", "planned memory", true},
    MemoryKindInfo{CopiedConstants, "copied_constants", "copied constants", false},
    MemoryKindInfo{UnplannedIo, "unplanned_io", "inputs and outputs", false},
    MemoryKindInfo{KernelPackedWeights, "kernel_packed_weights", "packed weights of kernels", false},
    MemoryKindInfo{DelegatePackedWeights, "delegate_packed_weights", "packed weights of delegate", true},
    MemoryKindInfo{DelegateWorkspace, "delegate_workspace", "workspace of delegate", true},
    MemoryKindInfo{GrowingTensors, "growing_tensors", "growing tensors", false},
    MemoryKindInfo{Temporary, "temporary", "temporary memory", false},
    MemoryKindInfo{ProcessPeak, "process_peak", "peak resident memory", false},
};
static_assert([] {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i].kind != static_cast<MemoryKind>(i)) {
            return false;
        }
    }
    return true;
}());

constexpr std::string_view separator = ": ";
constexpr std::string_view process = "process";

/// Parses the number after the text of a kind, as written by allocatorName().
std::optional<std::size_t> numberOf(std::string_view text) {
    std::size_t number = 0;
    const char* const end = text.data() + text.size();
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): ends at `end`
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    const bool isPlain = error == std::errc() && stop == end && (text.size() == 1 || text.front() != '0');
    return isPlain ? std::optional(number) : std::nullopt;
}

}  // namespace

const MemoryKindInfo& traits(MemoryKind kind) {
    return kinds[static_cast<std::size_t>(kind)];
}

std::string allocatorName(const Allocator& allocator) {
    const MemoryKindInfo& known = traits(allocator.kind);
    const std::string_view owner = allocator.kind == ProcessPeak ? process : allocator.method;
    return known.isNumbered ? fmt::format("{}{}{} {}", owner, separator, known.text, allocator.number)
                            : fmt::format("{}{}{}", owner, separator, known.text);
}

std::optional<Allocator> parseAllocator(std::string_view name) {
    const std::size_t end = name.rfind(separator);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view owner = name.substr(0, end);
    const std::string_view text = name.substr(end + separator.size());
    for (const MemoryKindInfo& each : kinds) {
        if (!text.starts_with(each.text)) {
            continue;
        }
        const std::string_view rest = text.substr(each.text.size());
        if (!each.isNumbered && rest.empty() && (each.kind != ProcessPeak || owner == process)) {
            return Allocator{.kind = each.kind, .method = each.kind == ProcessPeak ? "" : owner};
        }
        const auto number =
            each.isNumbered && rest.starts_with(' ') ? numberOf(rest.substr(1)) : std::nullopt;
        if (number) {
            return Allocator{.kind = each.kind, .method = owner, .number = *number};
        }
    }
    return std::nullopt;
}

}  // namespace et::executor
