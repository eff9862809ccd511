#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/generation/growth.h"
#include "inspector/generation/language_form.h"
#include "inspector/session/session.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the rules for language models look at, joined once.
namespace et::inspector::detail {

/// An event of a phase's calls.
struct PhaseRow {
    const report::EventRow* row = nullptr;
    std::string op;   ///< as --group-by op names it
    double time = 0;  ///< of one call, without what lies in it; in the unit of the blocks
};

struct PhaseInput {
    std::string_view phase;
    std::size_t calls = 0;
    double time = 0;  ///< of one call
    std::vector<PhaseRow> rows;
};

/// A trace whose phases are known.
struct LanguageInput {
    std::shared_ptr<const EventBlocks> blocks;  ///< by phase
    report::EventRows events;
    std::vector<PhaseInput> phases;
    double time = 0;                     ///< of all calls of all phases
    std::optional<Growth> growth{};      ///< of decode; nothing: it has no calls, or they differ
    std::optional<LanguageForm> form{};  ///< of the program; nothing: not open, or no language model
    std::uint64_t weightBytes = 0;       ///< that a decode step of the program reads; 0: not known

    /// Null: it has no such phase.
    [[nodiscard]] const PhaseInput* find(std::string_view phase) const;
};

/// Nothing: there is no trace, or nothing tells its phases.
[[nodiscard]] std::unique_ptr<const LanguageInput> languageInput(const Session& session);

/// Whether an operator is one of attention's: fused, or the products and softmax of which it is made
/// elsewhere.
[[nodiscard]] bool isAttention(std::string_view op);
/// Whether it is a product with weights: linear, mm, addmm, or a delegate's fully connected node.
[[nodiscard]] bool isLinear(std::string_view op);

}  // namespace et::inspector::detail
