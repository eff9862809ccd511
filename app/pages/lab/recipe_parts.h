#pragma once

#include "app/tasks/lab/site_report.h"
#include "backends/xnnpack/quantize/range_observer.h"

#include <span>
#include <string>
#include <string_view>

// What recipes for the exporter have in common.
namespace et::app {

/// An observer as torchao has it.
struct RecipeObserver {
    std::string_view name{};  ///< empty: the quantizer's own
    std::string_view note{};  ///< where torchao has nothing like it
};
[[nodiscard]] RecipeObserver recipeObserver(backends::xnnpack::ObserverKind kind);
/// Lines of a function that put the observer into a variable that holds a config; none for the quantizer's
/// own.
[[nodiscard]] std::string observerLines(const RecipeObserver& observer, std::string_view config);

/// "        'linear_3',  # layers.0.fc1, linear.py:134": a line of a set of nodes.
[[nodiscard]] std::string recipeSiteLine(const SiteReport& site);

/// The function `lower` at the end of a recipe; `except`: nodes of the Edge graph that stay out of delegates.
[[nodiscard]] std::string recipeLowering(std::span<const std::string> except);

}  // namespace et::app
