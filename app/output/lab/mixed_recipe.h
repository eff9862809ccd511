#pragma once

#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/lab/site_report.h"
#include "backends/xnnpack/quantize/range_observer.h"

#include <span>
#include <string>
#include <string_view>

namespace et::output {

// Shared by all recipes for the exporter.

/// An observer in torchao.
struct RecipeObserver {
    std::string_view name{};  ///< empty: the quantizer's default
    std::string_view note{};  ///< set if torchao has no equivalent
};
[[nodiscard]] RecipeObserver recipeObserver(backends::xnnpack::ObserverKind kind);
/// Lines that assign a config with the observer to a variable; empty for the quantizer's default.
[[nodiscard]] std::string observerLines(const RecipeObserver& observer, std::string_view config);

/// "        'linear_3',  # layers.0.fc1, linear.py:134": a line of a set of nodes.
[[nodiscard]] std::string recipeSiteLine(const tasks::SiteReport& site);

/// The function `lower` at the end of a recipe; `except`: nodes of the Edge graph to keep out of delegates.
[[nodiscard]] std::string recipeLowering(std::span<const std::string> except);

/// The recipe of a model whose sites have several schemes: torchao's quantize_() for modules with 4-bit or
/// weight-only quantization, half precision for modules between casts, and composed XNNPACKQuantizers, each
/// with its own nodes.
[[nodiscard]] std::string mixedRecipe(const tasks::QuantizeResult& result,
                                      const tasks::QuantizeSettings& settings);

}  // namespace et::output
