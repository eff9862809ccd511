#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"

#include <string>
#include <string_view>
#include <vector>

// Package of a Core ML delegate: a folder in one piece, as ExecuTorch's
// backends/apple/coreml/runtime/inmemoryfs writes it. The contents of the files come first, then, with its
// characters in reverse order, a JSON list of the folder's nodes. Zeros may follow.
namespace et::backends::coreml {

/// A file with its path below the package's root: "model.mlpackage/Manifest.json".
struct PackageFile {
    std::string path;
    core::Bytes data;
};

struct Package {
    core::Bytes reference;           ///< the payload, if it only names the package in named data
    std::string key;                 ///< that name
    std::string functionName;        ///< function that the delegate runs; empty: the default
    core::Bytes listing;             ///< the reversed JSON; empty: the named data is missing
    std::vector<PackageFile> files;  ///< sorted by path

    /// Null if there is none.
    [[nodiscard]] const PackageFile* find(std::string_view path) const;
};

/// Errors: Format, Limit (more than 65,536 nodes, or folders nested more than 64 deep).
[[nodiscard]] core::Result<Package> readPackage(core::Bytes payload,
                                                const executor::NamedDataSource& namedData);

}  // namespace et::backends::coreml
