#pragma once

#include "inspector/format/table.h"

#include <string>
#include <string_view>

// Parts of a page. Every text is escaped: names come from files.
namespace et::app {

/// A part of the page with a heading; `body` is HTML already. `id` is a word of ours.
[[nodiscard]] std::string htmlSection(std::string_view id, std::string_view title, std::string_view body);

/// A text, with what stands between two backticks as code.
[[nodiscard]] std::string htmlProse(std::string_view text);

/// "<p>" with a text.
[[nodiscard]] std::string htmlParagraph(std::string_view text, std::string_view className = {});

/// A table whose headings sort it. Numbers have at most five significant digits, large ones all before the
/// point, and stand on the right; what they are exactly is what they sort by. Cells of the column with the id
/// `bars` show their share of its largest number, or of `whole` where that is given. A column
/// `change` of percents reads "+3.1 %" or "6,706 times". Columns that are empty in all rows are left out. A
/// column whose id begins with '#' is not shown: it says what its row is about, to the page's script
/// (page/links.js): "#e" an event, "#i" instructions, "#h" debug handles, "#n" a name.
[[nodiscard]] std::string htmlTable(const inspector::report::Table& table, std::string_view bars = {},
                                    double whole = 0);

/// JSON as it may stand between `<script>` tags: without '<', '>' and '&', whatever its texts are, and
/// without blanks between its parts.
[[nodiscard]] std::string withoutMarkup(std::string_view json);

/// What a page is made of.
struct HtmlPage {
    std::string title;
    std::string body;         ///< sections
    std::string data;         ///< withoutMarkup(); may be empty
    std::string_view script;  ///< pageScript(), trendScript()
};

/// The whole page around sections: self-contained, light or dark as the viewer is; its policy lets nothing
/// run but the page's own script and nothing be loaded.
[[nodiscard]] std::string htmlPage(const HtmlPage& page);

}  // namespace et::app
