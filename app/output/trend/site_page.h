#pragma once

#include "inspector/trend/trend.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// Pages about all models of a store: static files that work from a file server or a folder.
namespace et::output {

/// A model in the index of all models.
struct SiteEntry {
    std::string model;
    std::string file;    ///< file name of its page, from siteFiles()
    std::string latest;  ///< UTC
    std::size_t measurements = 0;
    std::vector<std::string> changes{};  ///< "pixel8: slower since 4f2a91c, +3.1 %"
    bool isSlower = false;
};

/// Returns unique file names for the pages of models, in order: letters, digits, '.', '_' and '-' of the
/// models' names; never "index.html".
[[nodiscard]] std::vector<std::string> siteFiles(std::span<const std::string> models);

/// Returns the index entry of a model.
[[nodiscard]] SiteEntry siteEntry(const inspector::Trend& trend, std::string file);
/// The index of all models, slower ones first.
[[nodiscard]] std::string siteIndex(std::span<const SiteEntry> entries);
/// The page of one model: the trends of its groups, changes, and operators.
[[nodiscard]] std::string sitePage(const inspector::Trend& trend);

/// Data drawn by the script of sitePage(): per group the total, and the operators that changed or take
/// longest. The format is described in site/trend.js, its only reader.
[[nodiscard]] std::string siteData(const inspector::Trend& trend);

}  // namespace et::output
