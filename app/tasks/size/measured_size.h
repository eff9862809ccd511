#pragma once

#include "inspector/session/session.h"
#include "inspector/size/compressible.h"
#include "inspector/size/duplicates.h"
#include "inspector/size/equal_values.h"
#include "inspector/size/size_map.h"
#include "runtime/core/kv_cache.h"
#include "runtime/core/result.h"
#include "runtime/executor/kv_cache_plan.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::tasks {

/// Owners of the bytes in a session's files. Keeps the files that `map` borrows from and the session does not
/// own.
struct SessionSize {
    inspector::SizeMap map;
    std::vector<std::shared_ptr<const program::TensorData>> data;
};

/// The session must have a program and outlive the result. Errors: those of makeSizeMap() and
/// TensorData::open().
[[nodiscard]] core::Result<SessionSize> sessionSize(const inspector::Session& session);

/// Files to measure.
struct SizeFiles {
    std::filesystem::path model;                ///< program, bundled program, package or tensor data
    std::vector<std::filesystem::path> data{};  ///< tensor data files of the program
    std::filesystem::path record{};             ///< empty: none
    core::KvCacheSettings caches{};             ///< of KV caches outside the program
    bool content = true;  ///< also find duplicates and measure compression, which reads all files completely
};

/// Owners of the bytes in files, and duplicated content. Keeps the files that `map` borrows from.
struct MeasuredSize {
    inspector::SizeMap map;
    std::vector<inspector::DuplicateGroup> duplicates;
    std::vector<inspector::EqualValues> equalValues;
    std::vector<std::size_t> uniform;  ///< into map.pieces
    std::vector<inspector::CompressiblePiece> compressible;
    executor::KvCachePlan caches;  ///< KV caches outside the program, which are in no file
    std::vector<std::string> warnings;
    std::vector<std::shared_ptr<const void>> keptOpen;
};

/// Errors: those of the readers (each names its file); Format (an unsupported kind of file).
[[nodiscard]] core::Result<MeasuredSize> measureSize(const SizeFiles& files);

}  // namespace et::tasks
