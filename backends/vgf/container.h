#pragma once

#include "backends/payload_bytes.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <string>
#include <vector>

// A VGF file in memory, which borrows code and constants from the payload.
namespace et::backends::vgf {

struct Module {
    enum class Language : std::uint8_t { None, Spirv, Glsl, Hlsl };

    bool isGraph = false;  ///< otherwise a compute shader
    std::string name;
    std::string entryPoint;
    Language language = Language::None;
    core::Bytes code;
};

struct Resource {
    enum class Category : std::uint8_t { Input, Output, Intermediate, Constant };

    Category category = Category::Input;
    std::uint32_t descriptorType = 0;  ///< VkDescriptorType
    std::uint32_t format = 0;          ///< VkFormat
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;  ///< empty: dense
    std::uint32_t aliasGroup = 0;       ///< UINT32_MAX: none
};

struct Constant {
    std::uint32_t resource = 0;
    std::int64_t sparseDimension = -1;  ///< -1: dense
    core::Bytes data;
};

/// Resource at a binding of a descriptor set.
struct Binding {
    std::uint32_t binding = 0;
    std::uint32_t resource = 0;
};

struct Segment {
    bool isGraph = false;
    std::string name;
    std::uint32_t module = 0;
    std::vector<Binding> bindings;  ///< of all sets
    std::vector<Binding> inputs;
    std::vector<Binding> outputs;
    std::vector<std::uint32_t> constants;  ///< positions in Container::constants
    std::vector<std::int64_t> dispatch;
};

/// All indices are valid.
struct Container {
    std::string version;  ///< "0.4.3"
    std::uint16_t vulkanHeader = 0;
    std::vector<Module> modules;
    std::vector<Resource> resources;
    std::vector<Constant> constants;
    std::vector<Segment> segments;
    std::vector<Binding> inputs;
    std::vector<Binding> outputs;
    std::vector<std::string> inputNames;
    std::vector<std::string> outputNames;
    std::vector<core::Bytes> sections;  ///< modules, sequence, resources, constants
};

/// Reads a payload and adds the bytes that it describes to `coverage` if that is not null. Errors: Format
/// (damaged), Unsupported (a version of the format after 0.4), Limit.
[[nodiscard]] core::Result<Container> readContainer(core::Bytes payload, ByteCoverage* coverage = nullptr);

}  // namespace et::backends::vgf
