#include "tests/architecture/source_tree.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace et::architecture {
namespace {

/// A text that only one file may contain; all others use that file's declarations.
struct OnePlace {
    std::string_view text;
    std::string_view file;
};
constexpr std::string_view eventNames = "runtime/core/event_names.h";
constexpr std::string_view jsonWriter = "runtime/core/json_writer.cpp";
constexpr std::array places{
    OnePlace{"\"native_call_\"", eventNames},  OnePlace{"\"OPERATOR_CALL\"", eventNames},
    OnePlace{"\"DELEGATE_CALL\"", eventNames}, OnePlace{"\"MOVE_CALL\"", eventNames},
    OnePlace{"\"JF_CALL\"", eventNames},       OnePlace{"\"FREE_CALL\"", eventNames},
    OnePlace{"\"Program::load\"", eventNames}, OnePlace{"\"Program::load_method\"", eventNames},
    OnePlace{"\"Method::init\"", eventNames},  OnePlace{"\"Method::execute\"", eventNames},
    OnePlace{R"("\\\"")", jsonWriter},         OnePlace{"QFileDialog", "app/studio/file_dialog.cpp"},
};

/// Tests and benchmarks may construct input by hand.
bool isProduct(std::string_view path) {
    return !path.starts_with("tests/") && !path.starts_with("benchmarks/");
}

/// Returns the code of a line; comments may contain anything.
std::string_view codeOf(std::string_view line) {
    return line.substr(0, line.find("//"));
}

bool holds(std::string_view source, std::string_view text) {
    while (!source.empty()) {
        const std::size_t end = source.find('\n');
        if (codeOf(source.substr(0, end)).contains(text)) {
            return true;
        }
        source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    }
    return false;
}

TEST(OnePlaceTest, EachFactIsSpelledOnce) {
    std::array<std::size_t, places.size()> found{};
    for (const SourceFile& file : readSources(checkout())) {
        for (std::size_t i = 0; i < places.size() && isProduct(file.path); ++i) {
            if (holds(file.text, places[i].text)) {
                ++found[i];
                EXPECT_EQ(file.path, places[i].file) << "spells " << places[i].text;
            }
        }
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_EQ(found[i], 1U) << places[i].text << " is not in " << places[i].file;
    }
}

/// A signal emitted by the test itself hides that the widget never emits it: tests click and type instead.
TEST(OnePlaceTest, TestsDoNotEmitSignals) {
    constexpr std::array<std::string_view, 7> emitted{" emit ",         "Q_EMIT",       "fileSelected(",
                                                      "filesSelected(", "urlSelected(", "urlsSelected(",
                                                      "filterSelected("};
    for (const SourceFile& file : readSources(checkout())) {
        for (const std::string_view text : emitted) {
            if (file.path.starts_with("tests/") && !file.path.starts_with("tests/architecture/")) {
                EXPECT_FALSE(holds(file.text, text)) << file.path << " has " << text;
            }
        }
    }
}

TEST(OnePlaceTest, CommentsMayNameAnything) {
    EXPECT_TRUE(holds("a\nb = \"x\";\n", "\"x\""));
    EXPECT_FALSE(holds("a\n// says \"x\"\n", "\"x\""));
}

}  // namespace
}  // namespace et::architecture
