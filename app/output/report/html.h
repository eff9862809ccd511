#pragma once

#include "app/output/cells.h"

#include <string>
#include <string_view>

// HTML elements of a page. All text is escaped, because names come from files.
namespace et::output {

/// A section of the page with a heading; `body` is already HTML. `id` must be a constant.
[[nodiscard]] std::string htmlSection(std::string_view id, std::string_view title, std::string_view body);

/// Text with passages between backticks formatted as code.
[[nodiscard]] std::string htmlProse(std::string_view text);

/// A "<p>" element with a text.
[[nodiscard]] std::string htmlParagraph(std::string_view text, std::string_view className = {});

/// A table that can be sorted by its headings. Numbers have at most five significant digits (large ones keep
/// all digits before the decimal point) and are right-aligned; sorting uses their exact values. Cells of the
/// column with the id `bars` show their share of the column's maximum, or of `whole` if given. A column
/// `change` of percentages is printed as "+3.1 %" or "6,706 times". Columns that are empty in all rows are
/// omitted. A column whose id begins with '#' is not shown; it links its row for the page's script
/// (page/links.js): "#e" an event, "#i" instructions, "#h" debug handles, "#n" a name.
[[nodiscard]] std::string htmlTable(const Table& table, std::string_view bars = {}, double whole = 0);

/// Returns JSON that is safe between `<script>` tags: without '<', '>' and '&', whatever its texts, and
/// without blanks between its tokens.
[[nodiscard]] std::string withoutMarkup(std::string_view json);

/// Components of a page.
struct HtmlPage {
    std::string title;
    std::string body;         ///< sections
    std::string data;         ///< withoutMarkup(); may be empty
    std::string_view script;  ///< pageScript(), trendScript()
};

/// The whole page around the sections: self-contained, in the light or dark theme of the viewer; its policy
/// allows only the page's own script, and no loading.
[[nodiscard]] std::string htmlPage(const HtmlPage& page);

}  // namespace et::output
