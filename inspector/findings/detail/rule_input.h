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

// Input of the rules, joined once.
namespace et::inspector::findings::detail {

/// A method of the program with information about its instructions.
struct MethodInput {
    const program::Method* method = nullptr;
    const MethodDelegates* delegates = nullptr;  ///< null: could not be joined
    InstructionNodes nodes;
    std::optional<MemoryTimeline> memory{};         ///< empty: the plan could not be read
    std::map<core::InstructionId, double> times{};  ///< of one run, in the unit of the blocks
    double total = 0;                               ///< of one run; 0: not measured

    [[nodiscard]] std::span<const program::Instruction> instructions() const;
    [[nodiscard]] double timeOf(core::InstructionId instruction) const;
    /// "view_copy" for a kernel, else instructionLabel().
    [[nodiscard]] std::string nameOf(core::InstructionId instruction) const;
    [[nodiscard]] const program::DelegateCall* delegateCall(core::InstructionId instruction) const;
    [[nodiscard]] const program::KernelCall* kernelCall(core::InstructionId instruction) const;
};

/// The runtime event of this name with the most samples: "Method::execute" of the block that ran most often.
[[nodiscard]] const Event* maxSampled(const EventBlocks& blocks, std::string_view name);

/// Sets the location of an event, which is selected by clicking the finding.
void locate(const Block& block, const Event& event, Finding& finding);
/// "`conv2d · features.2.conv.1.0`"
[[nodiscard]] std::string operatorText(const Block& block, const Event& event);

struct RuleInput {
    const Session& session;
    std::vector<FileBelonging> files{};
    std::optional<DelegationReport> delegation{};
    std::vector<MethodInput> methods{};
    std::vector<std::string> warnings{};
    const events::EventLimits* limits = nullptr;      ///< null: no machine is known
    std::unique_ptr<const LanguageInput> language{};  ///< null: no trace with known phases

    explicit RuleInput(const Session& opened) : session(opened) {}
    ~RuleInput() = default;
    RuleInput(const RuleInput&) = delete;
    RuleInput& operator=(const RuleInput&) = delete;

    /// Sets the weight from a time in the unit of the blocks.
    void weigh(Finding& finding, double time, double whole) const;
    /// "0.4 ms", for a time in the unit of the blocks.
    [[nodiscard]] std::string timeText(double time) const;
    [[nodiscard]] const Event* execution() const;
};

/// Fills in everything; a RuleInput must not be moved, because its members refer to each other.
void fill(RuleInput& input);

}  // namespace et::inspector::findings::detail
