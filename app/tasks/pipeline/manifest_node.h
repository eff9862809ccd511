#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// A table of a manifest (TOML), with checked access to its keys. Errors of all readers: Format (a value of
/// another kind, or out of range; names file and field).
class ManifestNode {
  public:
    /// `file` names the text in messages. Errors: Format (line and column).
    [[nodiscard]] static core::Result<ManifestNode> parse(std::string_view text, std::string file);

    [[nodiscard]] const std::string& path() const { return field; }  ///< "stages[1]"
    [[nodiscard]] const std::string& name() const { return key; }    ///< key in the enclosing table

    [[nodiscard]] bool has(std::string_view name) const;
    /// Errors: Format (a key that is not in the list; suggests a similar one).
    [[nodiscard]] core::Result<> allow(std::span<const std::string_view> keys) const;
    [[nodiscard]] core::Result<> allow(std::initializer_list<std::string_view> keys) const {
        return allow(std::span(keys.begin(), keys.size()));
    }

    /// The text, or `otherwise` if the key is missing.
    [[nodiscard]] core::Result<std::string> text(std::string_view name, std::string otherwise) const;
    /// Errors: Format (missing or empty).
    [[nodiscard]] core::Result<std::string> neededText(std::string_view name) const;
    /// An array of texts; empty if the key is missing.
    [[nodiscard]] core::Result<std::vector<std::string>> texts(std::string_view name) const;
    [[nodiscard]] core::Result<std::vector<std::int64_t>> integers(std::string_view name) const;
    /// Integers, floats and booleans as numbers.
    [[nodiscard]] core::Result<std::vector<double>> numbers(std::string_view name) const;
    [[nodiscard]] core::Result<std::int64_t> integer(std::string_view name) const;
    [[nodiscard]] core::Result<double> number(std::string_view name, double otherwise) const;
    /// An integer from 0 to `most`.
    [[nodiscard]] core::Result<std::uint64_t> count(std::string_view name, std::uint64_t otherwise,
                                                    std::uint64_t most) const;
    /// A name such as "float32"; nothing if the key is missing.
    [[nodiscard]] core::Result<std::optional<core::ScalarType>> dtype(std::string_view name) const;

    using Visit = std::function<core::Result<>(const ManifestNode& node)>;
    /// Visits the tables in a table of tables, by name, and those of an array of tables, in order.
    [[nodiscard]] core::Result<> eachTable(std::string_view name, const Visit& visit) const;
    [[nodiscard]] core::Result<> eachItem(std::string_view name, const Visit& visit) const;

    [[nodiscard]] core::Where where(std::string_view name) const;
    /// An error about a key; an empty key: the table.
    [[nodiscard]] std::unexpected<core::Error> wrong(std::string_view name, std::string message) const;

  private:
    struct Document;
    ManifestNode(std::shared_ptr<const Document> of, const void* node, std::string path, std::string named)
        : document(std::move(of)), table(node), field(std::move(path)), key(std::move(named)) {}

    std::shared_ptr<const Document> document;
    const void* table;  ///< toml::table, whose header is slow to compile
    std::string field;
    std::string key;
};

}  // namespace et::tasks
