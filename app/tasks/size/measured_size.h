#pragma once

#include "inspector/size/compressible.h"
#include "inspector/size/duplicates.h"
#include "inspector/size/equal_values.h"
#include "inspector/size/size_map.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::app {

/// What to look at.
struct SizeFiles {
    std::filesystem::path model;                ///< program, bundled program or tensor data
    std::vector<std::filesystem::path> data{};  ///< tensor data files of the program
    std::filesystem::path record{};             ///< empty: none
    bool content = true;  ///< also look for duplicates and what compresses, which reads all of the files
};

/// Who owns the bytes of files, and what is in them twice. Holds the files that `map` borrows from.
struct MeasuredSize {
    inspector::SizeMap map;
    std::vector<inspector::DuplicateGroup> duplicates;
    std::vector<inspector::EqualValues> equalValues;
    std::vector<std::size_t> uniform;  ///< into map.pieces
    std::vector<inspector::CompressiblePiece> compressible;
    std::vector<std::string> warnings;
    std::vector<std::shared_ptr<const void>> keptOpen;
};

/// Errors: those of the readers (each names its file); Format (a file that has no such owners).
[[nodiscard]] core::Result<MeasuredSize> measureSize(const SizeFiles& files);

}  // namespace et::app
