#include "inspector/memory/program_range.h"

#include "inspector/memory/memory_timeline.h"
#include "runtime/program/instruction_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <variant>

namespace et::inspector {

using core::ErrorCode;
using core::fail;
using core::Result;
using program::TensorInfo;
using program::ValueId;

namespace {

/// Reads and writes of a method's values; values that share memory form one group.
class Uses {
  public:
    static Result<Uses> of(const program::Method& method) {
        Uses uses(method);
        ET_ASSIGN(const MemoryTimeline timeline, MemoryTimeline::build(method));
        for (const PlannedTensor& tensor : timeline.tensors) {
            for (const ValueId alias : tensor.aliases) {
                uses.groups[alias.value] = tensor.value.value;
            }
        }
        program::AccessReader reader(method);
        for (const program::Instruction& instruction : method.chains.front().instructions) {
            ET_ASSIGN(program::InstructionAccess access, reader.next(instruction));
            for (const ValueId id : access.writes) {
                std::vector<std::size_t>& all = uses.writers[uses.groupOf(id)];
                if (all.empty() || all.back() != uses.accesses.size()) {
                    all.push_back(uses.accesses.size());
                }
            }
            uses.accesses.push_back(std::move(access));
        }
        return uses;
    }

    [[nodiscard]] std::uint32_t groupOf(ValueId id) const { return groups[id.value]; }
    [[nodiscard]] const program::InstructionAccess& at(std::size_t instruction) const {
        return accesses[instruction];
    }
    [[nodiscard]] std::size_t instructions() const { return accesses.size(); }
    /// The last instruction in [first, end) that writes the value.
    [[nodiscard]] std::optional<std::size_t> lastWriter(ValueId id, std::size_t first,
                                                        std::size_t end) const {
        const std::span<const std::size_t> all = writersOf(groupOf(id));
        const auto behind = std::ranges::lower_bound(all, end);
        return behind == all.begin() || *std::prev(behind) < first ? std::nullopt
                                                                   : std::optional(*std::prev(behind));
    }

    /// Instructions that write a group, in ascending order.
    [[nodiscard]] std::span<const std::size_t> writersOf(std::uint32_t group) const {
        const auto found = writers.find(group);
        return found == writers.end() ? std::span<const std::size_t>() : found->second;
    }

  private:
    explicit Uses(const program::Method& method) : groups(method.values.size()) {
        std::iota(groups.begin(), groups.end(), 0U);
    }

    std::vector<std::uint32_t> groups;  ///< by value: the representative of all values that share its memory
    std::vector<program::InstructionAccess> accesses;
    std::map<std::uint32_t, std::vector<std::size_t>> writers;
};

Result<> checkChains(const program::Method& method) {
    return method.chains.size() == 1
               ? Result<>()
               : fail(ErrorCode::Unsupported,
                      fmt::format("expected a method of one chain, got {} chains", method.chains.size()));
}

/// Jumps within the range are allowed, including to its end.
Result<> checkJumps(const std::vector<program::Instruction>& instructions, InstructionRange range) {
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const auto* const jump = std::get_if<program::JumpFalseCall>(&instructions[i]);
        if (jump == nullptr) {
            continue;
        }
        const auto to = static_cast<std::size_t>(jump->destination.value);
        const bool inside = range.first <= i && i <= range.last;
        const bool entersInside = range.first < to && to <= range.last;
        if (inside ? to < range.first || to > range.last + 1 : entersInside) {
            return fail(
                ErrorCode::Unsupported,
                fmt::format("instruction {} jumps to {}: {} the range {} to {}; include the whole jump", i,
                            to, inside ? "out of" : "into", range.first, range.last));
        }
        // A loop around the range is rejected, because its values are not those of a single run.
        if (!inside && to <= range.first && i > range.last) {
            return fail(ErrorCode::Unsupported, fmt::format("instruction {} jumps back to {}: the range {} "
                                                            "to {} is in a loop; include the whole loop",
                                                            i, to, range.first, range.last));
        }
    }
    return {};
}

bool isNumber(const program::Value& value) {
    return value.is<std::int64_t>() || value.is<double>() || value.is<bool>();
}

/// Checks that a value can be an input or output of a method.
Result<> checkKind(const program::Method& method, ValueId id, std::string_view way) {
    const program::Value& value = method.value(id);
    return value.is<TensorInfo>() || isNumber(value)
               ? Result<>()
               : fail(ErrorCode::Unsupported,
                      fmt::format("value {} goes {} the range, but has the unsupported type {}", id.value,
                                  way, program::valueTypeName(value)));
}

program::Method sliceOf(const program::Method& method, std::span<const std::size_t> kept) {
    program::Method part = method;
    program::Chain& chain = part.chains.front();
    const program::Chain& whole = method.chains.front();
    chain.instructions.clear();
    chain.stackTraces.clear();
    for (const std::size_t each : kept) {
        chain.instructions.push_back(whole.instructions[each]);
        if (each < whole.stackTraces.size()) {
            chain.stackTraces.push_back(whole.stackTraces[each]);
        }
    }
    for (program::Instruction& instruction : chain.instructions) {
        if (auto* const jump = std::get_if<program::JumpFalseCall>(&instruction)) {
            const auto to = static_cast<std::size_t>(jump->destination.value);
            jump->destination.value =
                static_cast<std::int32_t>(std::ranges::lower_bound(kept, to) - kept.begin());
        }
    }
    chain.inputs.clear();
    chain.outputs.clear();
    return part;
}

std::vector<std::size_t> allBetween(std::size_t first, std::size_t end) {
    std::vector<std::size_t> all(end - first);
    std::iota(all.begin(), all.end(), first);
    return all;
}

/// Determines the inputs and outputs of a cut.
class Cut {
  public:
    Cut(const program::Method& which, const Uses& how, std::span<const std::size_t> what)
        : method(which), uses(how), kept(what), isKept(how.instructions()) {
        for (const std::size_t each : kept) {
            isKept[each] = true;
        }
    }

    Result<MethodPart> run() {
        MethodPart out{.method = sliceOf(method, kept), .inputs = {}, .outputs = {}};
        ET_TRY(findInputs(out));
        ET_TRY(findOutputs(out));
        out.method.inputs = out.inputs;
        out.method.outputs = out.outputs;
        return out;
    }

  private:
    [[nodiscard]] bool isInput(ValueId id) const {
        return std::ranges::any_of(method.inputs,
                                   [&](ValueId each) { return uses.groupOf(each) == uses.groupOf(id); });
    }
    /// Lists are not inputs themselves: their items are also reads and become inputs individually.
    [[nodiscard]] bool isList(ValueId id) const {
        const program::Value& value = method.value(id);
        return value.is<program::TensorList>() || value.is<program::OptionalTensorList>() ||
               value.is<program::IntList>();
    }
    [[nodiscard]] static Result<> changes(ValueId id) {
        return fail(
            ErrorCode::Unsupported,
            fmt::format("value {} changes over time: include the instruction that changes it", id.value));
    }

    Result<> findInputs(MethodPart& out) {
        std::map<std::uint32_t, std::size_t> known;  // by group: the instruction from which the part has it
        for (const std::size_t i : kept) {
            for (const ValueId id : uses.at(i).reads) {
                const auto writer = uses.lastWriter(id, 0, i);
                const auto since = known.find(uses.groupOf(id));
                if (since != known.end()) {
                    if (writer && !isKept[*writer] && *writer > since->second) {
                        return changes(id);
                    }
                    continue;
                }
                if (!isList(id) && (writer || isInput(id))) {
                    ET_TRY(checkKind(method, id, "into"));
                    out.inputs.push_back(id);
                    out.inputsAt = std::max(out.inputsAt, writer ? *writer + 1 : 0);
                    known.emplace(uses.groupOf(id), i);
                    madeAt[id.value] = writer ? *writer + 1 : 0;
                }
            }
            for (const ValueId id : uses.at(i).writes) {
                known.insert_or_assign(uses.groupOf(id), i);
            }
        }
        for (const ValueId id : out.inputs) {
            if (uses.lastWriter(id, madeAt[id.value], out.inputsAt)) {
                return changes(id);
            }
        }
        return {};
    }

    /// Collects the values that the part writes and others read: for each group, the last one in the part.
    /// Numbers are left out if there are others, because parts that read them compute them themselves.
    Result<> findOutputs(MethodPart& out) const {
        std::map<std::uint32_t, std::size_t> written;
        for (const std::size_t i : kept) {
            for (const ValueId id : uses.at(i).writes) {
                written.insert_or_assign(uses.groupOf(id), i);
            }
        }
        std::set<std::uint32_t> taken;
        const auto add = [&](ValueId id) -> Result<> {
            const auto made = written.find(uses.groupOf(id));
            if (isList(id) || made == written.end() || taken.contains(made->first)) {
                return {};
            }
            if (uses.lastWriter(id, made->second + 1, kept.back() + 1)) {
                return changes(id);
            }
            taken.insert(made->first);
            ET_TRY(checkKind(method, id, "out of"));
            out.outputs.push_back(id);
            return {};
        };
        for (const ValueId id : method.outputs) {
            ET_TRY(add(id));
        }
        const auto addRead = [&](bool numbers) -> Result<> {
            for (std::size_t i = kept.front() + 1; i < uses.instructions(); ++i) {
                for (const ValueId id : isKept[i] ? std::vector<ValueId>() : uses.at(i).reads) {
                    const auto writer = uses.lastWriter(id, 0, i);
                    if (writer && isKept[*writer] && isNumber(method.value(id)) == numbers) {
                        ET_TRY(add(id));
                    }
                }
            }
            return {};
        };
        ET_TRY(addRead(false));
        if (out.outputs.empty()) {
            ET_TRY(addRead(true));
        }
        return out.outputs.empty() ? lastWrites(out) : Result<>();
    }

    /// Fallback if no results of the part are read (it only changes state): its last result becomes the
    /// output.
    Result<> lastWrites(MethodPart& out) const {
        for (std::size_t i = kept.size(); i-- > 0 && out.outputs.empty();) {
            for (const ValueId id : uses.at(kept[i]).writes) {
                if (!isList(id)) {
                    out.outputs.push_back(id);
                    break;
                }
            }
        }
        return {};
    }

    const program::Method& method;
    const Uses& uses;
    std::span<const std::size_t> kept;
    std::vector<bool> isKept;
    std::map<std::uint32_t, std::size_t> madeAt;  ///< by value: the instructions before this index compute it
};

/// Whether the jump stays among instructions without a gap, including to their end.
bool staysInRun(std::span<const std::size_t> kept, std::size_t from, std::size_t to) {
    const auto [first, last] = std::minmax(from, to);
    const auto count = std::ranges::lower_bound(kept, last) - std::ranges::lower_bound(kept, first);
    return std::cmp_equal(count, last - first);
}

/// With gaps, a jump outside the part may not lead over some of its instructions.
Result<> checkJumpsAround(const std::vector<program::Instruction>& instructions,
                          std::span<const std::size_t> kept) {
    if (kept.back() - kept.front() + 1 == kept.size()) {
        return checkJumps(instructions, {.first = kept.front(), .last = kept.back()});
    }
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        if (const auto* const jump = std::get_if<program::JumpFalseCall>(&instructions[i])) {
            const auto to = static_cast<std::size_t>(jump->destination.value);
            const auto next = std::ranges::lower_bound(kept, std::min(i, to));
            const bool leadsAround = next != kept.end() && *next < std::max(i, to);
            if (std::ranges::binary_search(kept, i) ? !staysInRun(kept, i, to) : leadsAround) {
                return fail(ErrorCode::Unsupported,
                            fmt::format("instruction {} jumps to {}, where the part has gaps", i, to));
            }
        }
    }
    return {};
}

Result<> checkKept(const program::Method& method, std::span<const std::size_t> kept) {
    ET_TRY(checkChains(method));
    const std::size_t count = method.chains.front().instructions.size();
    if (kept.empty() || kept.back() >= count ||
        std::ranges::adjacent_find(kept, std::greater_equal()) != kept.end()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected ascending instructions below {}", count));
    }
    return {};
}

}  // namespace

Result<std::vector<std::size_t>> numberProducers(const program::Method& method,
                                                 std::span<const std::size_t> kept) {
    ET_TRY(checkKept(method, kept));
    ET_ASSIGN(const Uses uses, Uses::of(method));
    std::set<std::size_t> producers;
    std::vector<std::size_t> open(kept.begin(), kept.end());
    while (!open.empty()) {
        const std::size_t reader = open.back();
        open.pop_back();
        for (const ValueId id : uses.at(reader).reads) {
            const auto writer = isNumber(method.value(id)) ? uses.lastWriter(id, 0, reader) : std::nullopt;
            if (writer && !std::ranges::binary_search(kept, *writer) && producers.insert(*writer).second) {
                open.push_back(*writer);
            }
        }
    }
    return std::vector(producers.begin(), producers.end());
}

Result<MethodPart> cutInstructions(const program::Method& method, std::span<const std::size_t> kept) {
    ET_TRY(checkKept(method, kept));
    ET_TRY(checkJumpsAround(method.chains.front().instructions, kept));
    ET_ASSIGN(const Uses uses, Uses::of(method));
    return Cut(method, uses, kept).run();
}

Result<program::Method> cutPrefix(const program::Method& method, std::size_t first,
                                  const std::vector<ValueId>& wanted) {
    ET_TRY(checkChains(method));
    program::Method prefix = sliceOf(method, allBetween(0, first));
    prefix.outputs = wanted;
    return prefix;
}

}  // namespace et::inspector
