#pragma once

#include "app/tasks/lab/site_report.h"
#include "backends/xnnpack/quantize/range_observer.h"

#include <span>
#include <string>
#include <string_view>

// Code shared by recipes for the exporter.
namespace et::output {

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

}  // namespace et::output
