#pragma once

#include "inspector/history/trend.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// Pages about all models of a store: static files that work from a file server, or from a folder.
namespace et::app {

/// A model in the list of all.
struct SiteEntry {
    std::string model;
    std::string file;    ///< of its page, siteFiles()
    std::string latest;  ///< UTC
    std::size_t measurements = 0;
    std::vector<std::string> changes{};  ///< "pixel8: slower since 4f2a91c, +3.1 %"
    bool isSlower = false;
};

/// The names of the pages of models, in their order: letters, digits, '.', '_' and '-' of the models' own; no
/// two the same, none "index.html".
[[nodiscard]] std::vector<std::string> siteFiles(std::span<const std::string> models);

/// What the list says of a model.
[[nodiscard]] SiteEntry siteEntry(const inspector::Trend& trend, std::string file);
/// All models, those that are slower first.
[[nodiscard]] std::string siteIndex(std::span<const SiteEntry> entries);
/// One model: the trends of its groups, what changed, and its operators.
[[nodiscard]] std::string sitePage(const inspector::Trend& trend);

/// What the script of sitePage() draws: of each group the total, and the operators that changed or take most.
/// Its form is described in site/trend.js, the only reader.
[[nodiscard]] std::string siteData(const inspector::Trend& trend);

}  // namespace et::app
