#pragma once

#include "app/tasks/language/language_model.h"
#include "inspector/memory/cache_tensors.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// What a cache of a loaded program holds at a moment: a row of numbers for each position.
struct CacheRows {
    inspector::CacheTensor cache;
    std::size_t positions = 0;
    std::size_t width = 0;      ///< numbers of a row
    std::vector<float> values;  ///< positions * width, by position

    [[nodiscard]] std::span<const float> row(std::size_t position) const {
        return std::span(values).subspan(position * width, width);
    }
};

/// Of all caches of the decode method, in the order in which a call first uses them: layer by layer.
[[nodiscard]] core::Result<std::vector<CacheRows>> cacheContent(LanguageModel& language);

/// Positions whose row differs in any number, from the first to the last; both have the same shape.
[[nodiscard]] std::vector<std::size_t> changedRows(const CacheRows& before, const CacheRows& after);

/// How far the first `rows` rows are apart: the root of the mean square of the difference, as a share of that
/// of `expected`. Infinity where a number is missing on one side.
[[nodiscard]] double relativeDifference(const CacheRows& rows, std::span<const float> expected,
                                        std::size_t count);

/// "layer 0, the first of 2 caches": which of so many caches it is, where each layer has as many.
[[nodiscard]] std::size_t layerOf(std::size_t cache, std::size_t caches, std::size_t layers);

}  // namespace et::app
