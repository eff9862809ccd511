#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/generate/growth.h"
#include "inspector/generate/language_form.h"
#include "inspector/session/session.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Input of the rules for language models, joined once.
namespace et::inspector::findings::detail {

/// An event of a phase's calls.
struct PhaseRow {
    const events::EventRow* row = nullptr;
    std::string op;   ///< as named by --group-by op
    double time = 0;  ///< of one call, excluding nested events; in the unit of the blocks
};

struct PhaseInput {
    std::string_view phase;
    std::size_t calls = 0;
    double time = 0;  ///< of one call
    std::vector<PhaseRow> rows;
};

/// A trace with known phases.
struct LanguageInput {
    std::shared_ptr<const EventBlocks> blocks;  ///< by phase
    events::EventRows events;
    std::vector<PhaseInput> phases;
    double time = 0;                     ///< of all calls of all phases
    std::optional<Growth> growth{};      ///< of decode; empty: it has no calls, or they differ
    std::optional<LanguageForm> form{};  ///< of the program; empty: not open, or not a language model
    std::uint64_t weightBytes = 0;  ///< bytes of weights read by a decode step of the program; 0: unknown

    /// Null if it has no such phase.
    [[nodiscard]] const PhaseInput* find(std::string_view phase) const;
};

/// Null if there is no trace, or its phases are unknown.
[[nodiscard]] std::unique_ptr<const LanguageInput> languageInput(const Session& session);

/// Whether an operator is part of attention: the fused operator, or the products and softmax that it consists
/// of elsewhere.
[[nodiscard]] bool isAttention(std::string_view op);
/// Whether it is a product with weights: linear, mm, addmm, or a delegate's fully connected node.
[[nodiscard]] bool isLinear(std::string_view op);

}  // namespace et::inspector::findings::detail
