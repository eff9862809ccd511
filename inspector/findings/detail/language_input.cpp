#include "inspector/findings/detail/language_input.h"

#include "inspector/events/group_bins.h"
#include "inspector/events/grouping.h"
#include "inspector/generate/language_metadata.h"
#include "inspector/generate/weight_bytes.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/phase_mark.h"

#include <algorithm>
#include <utility>

namespace et::inspector::findings::detail {
namespace {

/// Joins the session again by phase; null if that fails or the phases are unknown.
std::shared_ptr<const EventBlocks> joinByPhase(const Session& session) {
    if (session.blocks == nullptr || !session.blocks->phases().known()) {
        return nullptr;
    }
    JoinOptions options = session.blocks->options();
    options.byPhase = true;
    const bool withRecord = session.blocks->record() != nullptr && !session.blocks->recordContradiction();
    const bool withProgram = withRecord && !session.recordContradiction;
    auto blocks =
        EventBlocks::build(session.trace, withRecord ? session.record : nullptr, session.debugBuffer, options,
                           withProgram ? session.program.get() : nullptr);
    return blocks ? *std::move(blocks) : nullptr;
}

PhaseInput& phaseAt(LanguageInput& input, std::string_view phase) {
    const auto found = std::ranges::find(input.phases, phase, &PhaseInput::phase);
    return found != input.phases.end() ? *found
                                       : input.phases.emplace_back(PhaseInput{.phase = phase, .rows = {}});
}

/// Counts the calls of a phase: its executions or, if it has none, its marks.
void countCalls(LanguageInput& input) {
    for (const Block& block : input.blocks->blocks()) {
        PhaseInput& phase = phaseAt(input, block.phase);
        phase.calls += block.name == phaseBlockName ? 0 : block.runs.size();
    }
    for (const Block& block : input.blocks->blocks()) {
        PhaseInput& phase = phaseAt(input, block.phase);
        phase.calls = phase.calls == 0 ? block.runs.size() : phase.calls;
    }
}

void addRows(LanguageInput& input) {
    for (std::size_t at = 0; at < input.events.rows.size(); ++at) {
        const events::EventRow& row = input.events.rows[at];
        if (row.event->samples.empty()) {
            continue;
        }
        PhaseInput& phase = phaseAt(input, row.block->phase);
        const auto calls = static_cast<double>(std::max<std::size_t>(1, phase.calls));
        events::Bin bin = events::binOf(input.events, at, {.by = events::GroupBy::Op}, true);
        phase.rows.push_back(
            {.row = &row, .op = std::move(bin.labels.front()), .time = row.typicalSelf / calls});
        phase.time += phase.rows.back().time;
        input.time += row.typicalSelf;
    }
}

void addProgram(LanguageInput& input, const Session& session) {
    if (session.program == nullptr) {
        return;
    }
    if (auto form = languageForm(*session.program, languageMetadata(*session.program))) {
        input.weightBytes = weightBytesOfCall(*form->decode.method, *session.program);
        input.form = *std::move(form);
    }
}

}  // namespace

const PhaseInput* LanguageInput::find(std::string_view phase) const {
    const auto found = std::ranges::find(phases, phase, &PhaseInput::phase);
    return found == phases.end() ? nullptr : &*found;
}

std::unique_ptr<const LanguageInput> languageInput(const Session& session) {
    auto blocks = joinByPhase(session);
    if (blocks == nullptr) {
        return nullptr;
    }
    auto input = std::make_unique<LanguageInput>();
    input->blocks = std::move(blocks);
    input->events = events::eventRows(*input->blocks);
    countCalls(*input);
    addRows(*input);
    addProgram(*input, session);
    if (auto growth = computeGrowth(*input->blocks)) {
        input->growth = *std::move(growth);
    }
    return input;
}

bool isAttention(std::string_view op) {
    const std::string_view name = names::detail::nodeOperator(op);
    return op.contains("sdpa") || op.contains("scaled_dot_product") || name == "bmm" ||
           name.ends_with("softmax") || op.contains("Batch Matrix Multiply") || op.contains("Softmax");
}

bool isLinear(std::string_view op) {
    const std::string_view name = names::detail::nodeOperator(op);
    return (names::detail::isProduct(name) && name != "bmm" && name != "baddbmm") ||
           op.contains("Fully Connected");
}

}  // namespace et::inspector::findings::detail
