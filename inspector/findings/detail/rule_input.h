#pragma once

#include "inspector/delegates/delegates.h"
#include "inspector/events/event_limits.h"
#include "inspector/events/event_rows.h"
#include "inspector/findings/detail/language_input.h"
#include "inspector/findings/findings.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/belonging.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What the rules look at, joined once.
namespace et::inspector::detail {

/// A method of the program with what is known of its instructions.
struct MethodInput {
    const program::Method* method = nullptr;
    const MethodDelegates* delegates = nullptr;  ///< null: they could not be joined
    InstructionNodes nodes;
    std::optional<MemoryTimeline> memory{};         ///< nothing: the plan could not be read
    std::map<core::InstructionId, double> times{};  ///< of one run, in the unit of the blocks
    double total = 0;                               ///< of one run; 0: not measured

    [[nodiscard]] std::span<const program::Instruction> instructions() const;
    [[nodiscard]] double timeOf(core::InstructionId instruction) const;
    /// "view_copy" of a kernel, else what instructionLabel() says.
    [[nodiscard]] std::string nameOf(core::InstructionId instruction) const;
    [[nodiscard]] const program::DelegateCall* delegateCall(core::InstructionId instruction) const;
    [[nodiscard]] const program::KernelCall* kernelCall(core::InstructionId instruction) const;
};

/// An event of the runtime itself with most samples: "Method::execute" of the block that ran most often.
[[nodiscard]] const Event* maxSampled(const EventBlocks& blocks, std::string_view name);

/// Says where an event is, for a click on the finding.
void locate(const Block& block, const Event& event, Finding& finding);
/// "`conv2d · features.2.conv.1.0`"
[[nodiscard]] std::string operatorText(const Block& block, const Event& event);

struct RuleInput {
    const Session& session;
    std::vector<FileBelonging> files{};
    std::optional<DelegationReport> delegation{};
    std::vector<MethodInput> methods{};
    std::vector<std::string> warnings{};
    const report::EventLimits* limits = nullptr;      ///< null: no machine is known
    std::unique_ptr<const LanguageInput> language{};  ///< null: no trace whose phases are known

    explicit RuleInput(const Session& opened) : session(opened) {}
    ~RuleInput() = default;
    RuleInput(const RuleInput&) = delete;
    RuleInput& operator=(const RuleInput&) = delete;

    /// A time in the unit of the blocks, as a weight.
    void weigh(Finding& finding, double time, double whole) const;
    /// "0.4 ms", of a time in the unit of the blocks.
    [[nodiscard]] std::string timeText(double time) const;
    [[nodiscard]] const Event* execution() const;
};

/// Fills everything in; a RuleInput does not move, for its parts refer to each other.
void join(RuleInput& input);

}  // namespace et::inspector::detail
