#include "inspector/memory/program_range.h"

#include "inspector/join/instruction_access.h"
#include "inspector/memory/memory_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <variant>

namespace et::inspector {

using core::ErrorCode;
using core::fail;
using core::Result;
using program::TensorInfo;
using program::ValueId;

namespace {

/// When the values of a method are read and written, those that share memory as one.
class Uses {
  public:
    static Result<Uses> of(const program::Method& method) {
        Uses uses(method);
        ET_ASSIGN(const MemoryTimeline timeline, MemoryTimeline::build(method));
        for (const PlannedTensor& tensor : timeline.tensors) {
            for (const ValueId alias : tensor.aliases) {
                uses.groups[alias.value] = tensor.value.value;
            }
            if (tensor.kind == TensorKind::State) {
                uses.states.insert(tensor.value.value);
            }
        }
        detail::AccessReader reader(method);
        for (const program::Instruction& instruction : method.chains.front().instructions) {
            ET_ASSIGN(detail::InstructionAccess access, reader.next(instruction));
            uses.accesses.push_back(std::move(access));
        }
        return uses;
    }

    [[nodiscard]] std::uint32_t groupOf(ValueId id) const { return groups[id.value]; }
    [[nodiscard]] bool isState(ValueId id) const { return states.contains(groupOf(id)); }
    [[nodiscard]] const detail::InstructionAccess& at(std::size_t instruction) const {
        return accesses[instruction];
    }
    [[nodiscard]] std::size_t instructions() const { return accesses.size(); }

    /// Groups that instructions of a range write.
    [[nodiscard]] std::set<std::uint32_t> written(std::size_t first, std::size_t end) const {
        std::set<std::uint32_t> out;
        for (std::size_t i = first; i < end; ++i) {
            for (const ValueId id : accesses[i].writes) {
                out.insert(groupOf(id));
            }
        }
        return out;
    }

  private:
    explicit Uses(const program::Method& method) : groups(method.values.size()) {
        std::iota(groups.begin(), groups.end(), 0U);
    }

    std::vector<std::uint32_t> groups;  ///< by value: the one that stands for all that share its memory
    std::set<std::uint32_t> states;
    std::vector<detail::InstructionAccess> accesses;
};

Result<> checkChains(const program::Method& method) {
    return method.chains.size() == 1
               ? Result<>()
               : fail(ErrorCode::Unsupported,
                      fmt::format("expected a method of one chain, got {} chains", method.chains.size()));
}

/// Jumps inside of the range are fine, to its end included.
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
            return fail(ErrorCode::Unsupported,
                        fmt::format("instruction {} jumps to {}: {} the range of {} to {}; take all of it in",
                                    i, to, inside ? "out of" : "into", range.first, range.last));
        }
        // Once more, for what a loop around the range does: its values are not those of one run.
        if (!inside && to <= range.first && i > range.last) {
            return fail(
                ErrorCode::Unsupported,
                fmt::format("instruction {} jumps back to {}: the range of {} to {} is in a loop; take "
                            "all of it in",
                            i, to, range.first, range.last));
        }
    }
    return {};
}

/// What can go in and out of a method.
Result<> checkKind(const program::Method& method, ValueId id, std::string_view way) {
    const program::Value& value = method.value(id);
    const bool good = std::holds_alternative<TensorInfo>(value) ||
                      std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value) ||
                      std::holds_alternative<bool>(value);
    return good
               ? Result<>()
               : fail(ErrorCode::Unsupported, fmt::format("value {} goes {} the range, and is of the kind {}",
                                                          id.value, way, program::valueTypeName(value)));
}

program::Method sliceOf(const program::Method& method, std::size_t first, std::size_t end) {
    program::Method part = method;
    program::Chain& chain = part.chains.front();
    const program::Chain& whole = method.chains.front();
    chain.instructions.assign(whole.instructions.begin() + static_cast<std::ptrdiff_t>(first),
                              whole.instructions.begin() + static_cast<std::ptrdiff_t>(end));
    if (!whole.stackTraces.empty()) {
        const auto stacksEnd = std::min(end, whole.stackTraces.size());
        const auto stacksFirst = std::min(first, stacksEnd);
        chain.stackTraces.assign(whole.stackTraces.begin() + static_cast<std::ptrdiff_t>(stacksFirst),
                                 whole.stackTraces.begin() + static_cast<std::ptrdiff_t>(stacksEnd));
    }
    for (program::Instruction& instruction : chain.instructions) {
        if (auto* const jump = std::get_if<program::JumpFalseCall>(&instruction)) {
            jump->destination.value -= static_cast<std::int32_t>(first);
        }
    }
    chain.inputs.clear();
    chain.outputs.clear();
    return part;
}

/// Finds what goes in and out.
class Cut {
  public:
    Cut(const program::Method& which, const Uses& how, InstructionRange where)
        : method(which), uses(how), range(where), before(uses.written(0, where.first)) {}

    Result<MethodPart> run() {
        MethodPart out{.method = sliceOf(method, range.first, range.last + 1), .inputs = {}, .outputs = {}};
        std::set<std::uint32_t> known;  // groups that are inputs, or written in the range so far
        for (std::size_t i = range.first; i <= range.last; ++i) {
            for (const ValueId id : uses.at(i).reads) {
                if (comesIn(id) && known.insert(uses.groupOf(id)).second) {
                    ET_TRY(checkKind(method, id, "into"));
                    out.inputs.push_back(id);
                }
            }
            for (const ValueId id : uses.at(i).writes) {
                known.insert(uses.groupOf(id));
            }
        }
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
    /// Something was put there before the range: by an instruction, or by who runs the whole.
    [[nodiscard]] bool comesIn(ValueId id) const {
        return !isList(id) && (before.contains(uses.groupOf(id)) || isInput(id));
    }
    /// Its items are read as well, and go in by themselves.
    [[nodiscard]] bool isList(ValueId id) const {
        const program::Value& value = method.value(id);
        return std::holds_alternative<program::TensorList>(value) ||
               std::holds_alternative<program::OptionalTensorList>(value) ||
               std::holds_alternative<program::IntList>(value);
    }

    Result<> findOutputs(MethodPart& out) const {
        const std::set<std::uint32_t> writes = uses.written(range.first, range.last + 1);
        std::set<std::uint32_t> taken;
        const auto add = [&](ValueId id) -> Result<> {
            if (isList(id) || !writes.contains(uses.groupOf(id)) || !taken.insert(uses.groupOf(id)).second) {
                return {};
            }
            ET_TRY(checkKind(method, id, "out of"));
            out.outputs.push_back(id);
            return {};
        };
        for (const ValueId id : method.outputs) {
            ET_TRY(add(id));
        }
        std::set<std::uint32_t> overwritten;
        for (std::size_t i = range.last + 1; i < uses.instructions(); ++i) {
            for (const ValueId id : uses.at(i).reads) {
                if (!overwritten.contains(uses.groupOf(id))) {
                    ET_TRY(add(id));
                }
            }
            for (const ValueId id : uses.at(i).writes) {
                overwritten.insert(uses.groupOf(id));
            }
        }
        return out.outputs.empty() ? lastWrites(out) : Result<>();
    }

    /// Nobody reads what the range makes (it only changes state): its last result stands for all.
    Result<> lastWrites(MethodPart& out) const {
        for (std::size_t i = range.last + 1; i-- > range.first && out.outputs.empty();) {
            for (const ValueId id : uses.at(i).writes) {
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
    InstructionRange range;
    std::set<std::uint32_t> before;
};

}  // namespace

Result<MethodPart> cutRange(const program::Method& method, InstructionRange range) {
    ET_TRY(checkChains(method));
    const auto& instructions = method.chains.front().instructions;
    if (range.first > range.last || range.last >= instructions.size()) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected instructions from 0 to {}, got {} to {}",
                                static_cast<std::int64_t>(instructions.size()) - 1, range.first, range.last));
    }
    ET_TRY(checkJumps(instructions, range));
    ET_ASSIGN(const Uses uses, Uses::of(method));
    return Cut(method, uses, range).run();
}

Result<program::Method> cutPrefix(const program::Method& method, std::size_t first,
                                  const std::vector<ValueId>& wanted) {
    ET_TRY(checkChains(method));
    program::Method prefix = sliceOf(method, 0, first);
    prefix.outputs = wanted;
    return prefix;
}

}  // namespace et::inspector
