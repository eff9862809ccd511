#include "backends/openvino/xml_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace et::backends::openvino {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

constexpr std::size_t maxDepth = 64;
constexpr std::string_view spaces = " \t\r\n";

struct Entity {
    std::string_view name;
    char letter;
};
constexpr std::array entities{Entity{"&amp;", '&'}, Entity{"&lt;", '<'}, Entity{"&gt;", '>'},
                              Entity{"&quot;", '"'}, Entity{"&apos;", '\''}};

/// Unknown entities are kept.
std::string withoutEntities(std::string_view from) {
    std::string plain;
    while (!from.empty()) {
        const auto* const known =
            std::ranges::find_if(entities, [&](const Entity& each) { return from.starts_with(each.name); });
        plain += known == entities.end() ? from.front() : known->letter;
        from.remove_prefix(known == entities.end() ? 1 : known->name.size());
    }
    return plain;
}

}  // namespace

std::string_view XmlTag::attribute(std::string_view of) const {
    const auto found = std::ranges::find(attributes, of, [](const auto& each) { return each.first; });
    return found == attributes.end() ? std::string_view() : found->second;
}

std::unexpected<core::Error> XmlReader::unexpected(std::string_view expected) const {
    return fail(ErrorCode::Format,
                at < text.size()
                    ? fmt::format("expected {}, got \"{}\"", expected, core::printable(text.substr(at, 1)))
                    : fmt::format("expected {}, got the end", expected),
                {.file = {}, .field = "model XML", .offset = at});
}

void XmlReader::skipSpaces() {
    at = std::min(text.find_first_not_of(spaces, at), text.size());
}

std::string_view XmlReader::takeName() {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n=/<>\"'", at), text.size());
    const std::string_view name = text.substr(at, end - at);
    at = end;
    return name;
}

Result<std::optional<XmlTag>> XmlReader::next() {
    if (empty) {
        const std::string_view name = *empty;
        empty.reset();
        ET_TRY(close(name));
        return XmlTag{.name = name, .isEnd = true};
    }
    const std::size_t start = at;
    while (true) {
        const std::size_t mark = text.find('<', at);
        if (mark == std::string_view::npos) {
            at = text.size();
            return open.empty() ? Result<std::optional<XmlTag>>(std::nullopt)
                                : unexpected(fmt::format("</{}>", core::printable(open.back())));
        }
        const std::string_view rest = text.substr(mark);
        const bool isComment = rest.starts_with("<!--");
        if (!isComment && !rest.starts_with("<?") && !rest.starts_with("<!")) {
            const std::string_view before = text.substr(start, mark - start);
            at = mark + 1;
            ET_ASSIGN(XmlTag tag, readTag());
            tag.textBefore = before;
            return tag;
        }
        const std::string_view ending = isComment ? "-->" : ">";
        const std::size_t end = text.find(ending, mark);
        at = end == std::string_view::npos ? text.size() : end + ending.size();
    }
}

Result<> XmlReader::close(std::string_view name) {
    if (open.empty() || open.back() != name) {
        return unexpected(open.empty() ? std::string("no end")
                                       : fmt::format("</{}>", core::printable(open.back())));
    }
    open.pop_back();
    return {};
}

/// From the name on.
Result<XmlTag> XmlReader::readTag() {
    XmlTag tag;
    tag.isEnd = at < text.size() && text[at] == '/';
    at += tag.isEnd ? 1 : 0;
    tag.name = takeName();
    if (tag.name.empty()) {
        return unexpected("the name of an element");
    }
    for (skipSpaces(); at < text.size() && text[at] != '>' && text[at] != '/'; skipSpaces()) {
        ET_TRY(readAttribute(tag));
    }
    const bool isEmpty = at < text.size() && text[at] == '/';
    at += isEmpty ? 1 : 0;
    if (at >= text.size() || text[at] != '>') {
        return unexpected("\">\"");
    }
    ++at;
    if (tag.isEnd) {
        ET_TRY(close(tag.name));
        return tag;
    }
    if (open.size() == maxDepth) {
        return fail(ErrorCode::Limit, fmt::format("expected at most {} nested elements", maxDepth),
                    {.file = {}, .field = "model XML", .offset = at});
    }
    open.push_back(tag.name);
    if (isEmpty) {
        empty = tag.name;
    }
    return tag;
}

Result<> XmlReader::readAttribute(XmlTag& tag) {
    const std::string_view name = takeName();
    skipSpaces();
    if (name.empty() || at >= text.size() || text[at] != '=') {
        return unexpected(name.empty() ? "the name of an attribute" : "\"=\"");
    }
    ++at;
    skipSpaces();
    if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) {
        return unexpected("a quote");
    }
    const std::size_t end = text.find(text[at], at + 1);
    if (end == std::string_view::npos) {
        at = text.size();
        return unexpected("a closing quote");
    }
    tag.attributes.emplace_back(name, withoutEntities(text.substr(at + 1, end - at - 1)));
    at = end + 1;
    return {};
}

}  // namespace et::backends::openvino
