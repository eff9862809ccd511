#pragma once

#include "backends/coreml/package.h"
#include "backends/payload_contents.h"
#include "runtime/core/graph.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// The model in a package: a protobuf message of apple/coremltools, mlmodel/format/Model.proto and MIL.proto.
namespace et::backends::coreml {

/// A model as far as its type is concerned.
struct Model {
    std::uint64_t specification = 0;  ///< version: 9
    std::string_view type;            ///< "ML Program"; empty: unknown
    std::uint32_t typeField = 0;      ///< number of the type's field in the message; 0: none
    core::Bytes content;              ///< of the type: the program
    std::string defaultFunction;      ///< empty: "main"
};

/// Errors: Format.
[[nodiscard]] core::Result<Model> readModel(core::Bytes message);

/// "9 (iOS 18, macOS 15)"; without parentheses if the version is unknown.
[[nodiscard]] std::string specificationText(std::uint64_t version);

/// Information about a program that is stored outside it.
struct ProgramSources {
    const Package& package;
    std::string folder;        ///< of the model in the package, which the names of weight files start from
    std::string functionName;  ///< function to describe
    std::vector<std::string> inputs{};   ///< names of the arguments in order; empty: as in the program
    std::vector<std::string> outputs{};  ///< likewise
    /// Debug handles by "output:operator".
    std::map<std::string, std::vector<core::DebugHandle>, std::less<>> handles{};
};

/// Describes a function of an ML Program: a node per operation, constants with their data in weight files.
/// Adds the used bytes of weight files to `described` if it is not null. Errors: Format, Limit, NotFound (no
/// such function).
[[nodiscard]] core::Result<core::ModelGraph> programGraph(core::Bytes program, const ProgramSources& sources,
                                                          ByteCoverage* described);

}  // namespace et::backends::coreml
