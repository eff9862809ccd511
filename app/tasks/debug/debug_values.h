#pragma once

#include "app/expression/expression.h"
#include "app/tasks/debug/program_index.h"
#include "app/tasks/debug/timeline.h"
#include "app/tasks/debug/timeline_reference.h"
#include "app/tasks/debug/value_history.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// A value by name, at the point of a timeline.
struct NamedValue {
    std::string name;
    std::optional<program::ValueId> id{};  ///< nothing for a value inside a delegate
    const core::Value* value = nullptr;    ///< borrowed until the next movement
    std::optional<ArenaRange> memory{};
    bool isConstant = false;
    bool isState = false;
};

/// Values captured before an instruction, by name.
using CapturedValues = std::map<std::string, expression::Operand, std::less<>>;

/// The values that names mean at the point of a timeline:
/// - `out`, `out1`: results of the instruction that ran last, or of the delegate's operator that did;
/// - `in`, `in0`: inputs of the instruction at which it stopped;
/// - names of that instruction's arguments ("weight"), `%12`, `input:0`, `output:0`, names of constants and
///   of the Edge graph.
/// Everything is borrowed.
class DebugValues {
  public:
    DebugValues(Timeline& shown, ValueHistory& accesses, const ProgramIndex& names,
                TimelineReference* expected)
        : timeline(shown), history(accesses), index(names), reference(expected) {}

    /// Sets the instruction of the stop (null at the end of the execution), and whether it has already run.
    void setFocus(const InstructionSite* instruction, bool isAfter) {
        site = instruction;
        stopsAfter = isAfter;
    }

    /// Errors: NotFound (suggests similar names).
    [[nodiscard]] core::Result<NamedValue> find(std::string_view name);
    /// The results of the instruction or operator that ran last.
    [[nodiscard]] core::Result<std::vector<NamedValue>> results();
    /// The inputs of the instruction at which it stopped.
    [[nodiscard]] core::Result<std::vector<NamedValue>> inputs();
    [[nodiscard]] core::Result<NamedValue> named(const DebugValue& value) const;
    /// The reference for a value at the point. Errors: Unsupported (explains why it has none).
    [[nodiscard]] core::Result<const inspector::GapTensor*> referenceOf(const NamedValue& value);
    /// Names for completion.
    [[nodiscard]] std::vector<std::string> names();

    [[nodiscard]] const InstructionSite* focus() const { return site; }
    [[nodiscard]] core::Result<const MethodIndex*> method() const;
    [[nodiscard]] Timeline& time() { return timeline; }

  private:
    [[nodiscard]] core::Result<std::vector<NamedValue>> accessed(const std::vector<ValueAccess>& accesses,
                                                                 bool writes);
    [[nodiscard]] core::Result<std::optional<NamedValue>> innerResult();
    [[nodiscard]] std::optional<program::ValueId> argumentNamed(std::string_view name) const;

    Timeline& timeline;
    ValueHistory& history;
    const ProgramIndex& index;
    TimelineReference* reference;
    const InstructionSite* site = nullptr;
    bool stopsAfter = false;
};

/// Names in conditions: those of DebugValues, and `op`, `module`, `method`, `instruction`, `execution`,
/// `step`, `node`, `hits`.
class DebugScope final : public expression::Scope {
  public:
    /// `captured`: values for previous(); if null, previous() goes back one instruction.
    DebugScope(DebugValues& shown, const CapturedValues* captured, std::uint64_t hitCount = 0)
        : values(shown), before(captured), hits(hitCount) {}

    [[nodiscard]] core::Result<expression::Operand> value(std::string_view name) const override;
    [[nodiscard]] core::Result<expression::Operand> reference(std::string_view name) const override;
    [[nodiscard]] core::Result<expression::Operand> previous(std::string_view name) const override;

  private:
    DebugValues& values;
    const CapturedValues* before;
    std::uint64_t hits;
};

}  // namespace et::tasks
