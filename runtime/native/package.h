#pragma once

#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/native/graph.h"
#include "runtime/native/read_graph.h"
#include "runtime/native/safetensors.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::native {

struct PackageMember {
    std::string name;
    std::uint64_t bytes = 0;                ///< uncompressed
    std::optional<std::uint64_t> offset{};  ///< of the content in the file; nothing: deflated
    bool isDeflated = false;
};

/// A package (.ptn): a zip with the graph (program.ptg), the constants (program.safetensors) and a map of
/// keys that share stored bytes (aliases.json). Verified and immutable.
struct Package {
    std::shared_ptr<const core::MappedFile> file;
    std::vector<PackageMember> members;
    Program program;
    Safetensors tensors;  ///< empty without constants
    /// Key to the key of the stored tensor with the same bytes.
    std::map<std::string, std::string, std::less<>> aliases;

    /// Errors: Io; Format (damaged, a member is missing, constants are missing or differ from the graph);
    /// Limit; Unsupported.
    [[nodiscard]] static core::Result<std::shared_ptr<const Package>> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<std::shared_ptr<const Package>> parse(
        std::shared_ptr<const core::MappedFile> file);

    /// Offset of a member, or of a stored tensor's data, in the file; nothing: it is deflated or missing.
    [[nodiscard]] std::optional<std::uint64_t> offsetOfMember(std::string_view member) const;
    [[nodiscard]] std::optional<std::uint64_t> offsetOfTensor(std::string_view key) const;

    /// The stored tensor of a key or an alias.
    [[nodiscard]] std::optional<StoredTensor> find(std::string_view key) const;
    /// As a function, valid as long as the package.
    [[nodiscard]] FindTensor finder() const {
        return [this](std::string_view key) { return find(key); };
    }
};

}  // namespace et::native
