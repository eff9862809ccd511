#pragma once

#include "app/output/cells.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace et::output {

/// Whether a program belongs to the weight files described with it.
struct DataInfo {
    std::filesystem::path program;
    Dict info;  ///< as member "external_data" of the program; empty: needs no data
    std::vector<std::string> contradictions;
};

/// Checks each program (also in bundles) among the files against the tensor data and ETRecords among them:
/// all if it is the only program, otherwise those whose name starts with the program's. Skips files that
/// cannot be read.
[[nodiscard]] std::vector<DataInfo> dataInfo(std::span<const std::filesystem::path> files);

/// Adds the check of a program to its description; nothing if `path` is no checked program.
void addDataInfo(const std::filesystem::path& path, std::span<const DataInfo> checked, Dict& info);

}  // namespace et::output
