#pragma once

#include "tests/support/open_payloads.h"

#include <cstdint>
#include <map>
#include <string>

namespace et::test {

struct CoremlChanges {
    std::uint64_t weightOffset = 64;  ///< of the weight's metadata in its file
    std::string debugInfo = R"({"debugSymbolToHandles": {"y:conv": [7, 9], "z:relu": [11]}})";
    bool isCompiled = false;        ///< a model.mlmodelc in place of the model.mlpackage
    std::size_t blockDepth = 0;     ///< conditionals around a relu
    std::uint32_t modelType = 502;  ///< ML Program
};

/// A package with an ML Program: x float16 [1, 3, 4, 4] is convolved with a weight of 12 bytes in a weight
/// file and strides [1, 1] to y, of which relu makes z; input x is argument 0, output z argument 1.
[[nodiscard]] PayloadBytes coremlPayload(const CoremlChanges& changes = {});

/// A package of files by path.
[[nodiscard]] PayloadBytes coremlPackage(const std::map<std::string, std::string>& files);

}  // namespace et::test
