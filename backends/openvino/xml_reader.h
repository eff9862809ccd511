#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::backends::openvino {

/// A start or an end of an element. An empty element has both.
struct XmlTag {
    std::string_view name;
    std::vector<std::pair<std::string_view, std::string>> attributes{};
    bool isEnd = false;
    std::string_view textBefore{};  ///< as in the file, from the previous tag to this one

    /// Empty if there is no such attribute.
    [[nodiscard]] std::string_view attribute(std::string_view of) const;
};

/// Reads the tags of an XML document in order; declarations and comments are skipped, entities in attributes
/// are replaced. Element nesting is checked.
class XmlReader {
  public:
    explicit XmlReader(std::string_view of) : text(of) {}

    /// The next tag; nothing at the end. Errors: Format, Limit (depth); name the offset.
    [[nodiscard]] core::Result<std::optional<XmlTag>> next();

  private:
    [[nodiscard]] core::Result<XmlTag> readTag();
    [[nodiscard]] core::Result<> readAttribute(XmlTag& tag);
    [[nodiscard]] core::Result<> close(std::string_view name);
    void skipSpaces();
    [[nodiscard]] std::string_view takeName();
    [[nodiscard]] std::unexpected<core::Error> unexpected(std::string_view expected) const;

    std::string_view text;
    std::size_t at = 0;
    std::vector<std::string_view> open;
    std::optional<std::string_view> empty;  ///< element whose end is due
};

}  // namespace et::backends::openvino
