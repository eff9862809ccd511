#include "app/cli/mcp/guides.h"

#include "app/cli/mcp/guide_texts.h"

namespace et::cli::mcp {
namespace {

/// The value of a line "name: value" in the header of a guide.
std::string headerValue(std::string_view header, std::string_view name) {
    const std::size_t line = header.find(name);
    if (line == std::string_view::npos) {
        return {};
    }
    std::string_view value = header.substr(line + name.size());
    return std::string(value.substr(0, value.find('\n')));
}

Guide guideOf(std::string_view file) {
    constexpr std::string_view border = "---\n";
    const std::size_t end = file.find(border, border.size());
    const std::string_view header = file.substr(0, end);
    return {.name = headerValue(header, "name: "),
            .description = headerValue(header, "description: "),
            .text = file.substr(end + border.size())};
}

}  // namespace

const std::vector<Guide>& guides() {
    static const std::vector<Guide> all{guideOf(profileGuide()), guideOf(divergenceGuide()),
                                        guideOf(shrinkGuide()), guideOf(quantizeGuide()),
                                        guideOf(logGuide())};
    return all;
}

}  // namespace et::cli::mcp
