#pragma once

#include "app/tasks/generate/language_model.h"
#include "inspector/memory/cache_tensors.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Content of a loaded program's cache: a row of numbers for each position.
struct CacheRows {
    inspector::CacheTensor cache;        ///< outside the program: only `type` and `name`
    std::optional<std::size_t> layer{};  ///< of a cache outside the program
    std::size_t positions = 0;
    std::size_t width = 0;      ///< numbers per row
    std::vector<float> values;  ///< positions * width, by position

    [[nodiscard]] std::span<const float> row(std::size_t position) const {
        return std::span(values).subspan(position * width, width);
    }
};

/// Returns all caches of the decode method, in order of first use: layer by layer; then the keys and values
/// of each layer outside the program, with zeros for positions that were not written.
[[nodiscard]] core::Result<std::vector<CacheRows>> cacheContent(LanguageModel& language);

/// Returns the positions whose rows differ, in ascending order; both must have the same shape.
[[nodiscard]] std::vector<std::size_t> changedRows(const CacheRows& before, const CacheRows& after);

/// Returns the RMS difference of the first `count` rows relative to the RMS of `expected`. Infinity if a
/// number is missing on one side.
[[nodiscard]] double relativeDifference(const CacheRows& rows, std::span<const float> expected,
                                        std::size_t count);

/// Returns the layer of a cache, for caches that are evenly distributed over the layers ("layer 0, the first
/// of 2 caches").
[[nodiscard]] std::size_t layerOf(std::size_t cache, std::size_t caches, std::size_t layers);

}  // namespace et::tasks
