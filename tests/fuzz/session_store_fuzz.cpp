// Fuzzes modified session files: opening, reading everything, and writing.
#include "app/samples/sample_set.h"
#include "inspector/session/placement.h"
#include "inspector/store/session_store.h"
#include "tests/fuzz/support/store_changes.h"
#include "tests/support/scratch_folder.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace {

namespace store = et::inspector::store;

/// Returns a session with rows in each table that is read back.
std::filesystem::path soundSession(const std::filesystem::path& folder) {
    const auto paths = et::samples::writeSampleSet("add_mul", folder);
    et::fuzz::require(paths.has_value());
    const auto files = et::inspector::placeFiles(*paths, et::inspector::SessionScope::All);
    et::fuzz::require(files.has_value());
    const auto session = et::inspector::Session::open(*files);
    et::fuzz::require(session.has_value());
    et::bundled_program::Comparison output;
    output.type = "float32 [4, 4]";
    output.mismatches = 1;
    output.difference = "differs";
    output.metrics.maxUlp = 7;
    output.worst = {.index = {1, 2}, .expected = "0.5", .given = "nan"};
    const et::bundled_program::CaseReport verdict{
        .method = "forward", .message = "output 0 differs", .outputs = {output, output}};
    const std::vector<store::LayoutEntry> layout{{.key = "window/state", .value = {std::byte{1}}}};
    const auto saved = store::saveSession(
        folder / "sound.db", **session,
        {.verdicts = std::span(&verdict, 1),
         .notes = {{.text = "slow", .method = "forward", .instruction = et::core::InstructionId{0}},
                   {.text = "all"}},
         .lastSeen = {},
         .layout = layout,
         .writer = "fuzz"});
    et::fuzz::require(saved.has_value());
    return folder / "sound.db";
}

/// Returns whether it opens.
bool read(const std::filesystem::path& path, bool isExtracted) {
    const auto opened = store::SessionStore::open(path);
    et::fuzz::require((!opened || store::isDatabase(path)) && !store::isDatabase(path.parent_path()));
    if (!opened) {
        std::ignore = opened.error().toString();
        return false;
    }
    std::ignore = opened->notes();
    std::ignore = opened->verdicts();
    std::ignore = opened->layout();
    std::ignore = opened->session(opened->joinOptions());
    if (isExtracted) {
        std::ignore = opened->extract(path.parent_path() / "files", store::Existing::Replace);
        std::ignore = opened->extract(path.parent_path() / "files", store::Existing::Keep);
    }
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const et::test::ScratchFolder folder;
    static et::fuzz::ChangedDatabase database(soundSession(folder.path()));
    et::fuzz::require(et::core::detectFileKind(std::as_bytes(
                          std::span(data, std::min<std::size_t>(size, 15)))) != et::core::FileKind::Database);
    et::fuzz::ByteSource source(data, size);
    const bool isWritten = source.oneIn(8);
    const std::filesystem::path& path = database.change(source);
    const bool opens = read(path, source.oneIn(4));
    if (isWritten && store::addNote(path, {.text = std::string(source.text(20)) + "."})) {
        const auto opened = store::SessionStore::open(path);
        et::fuzz::require(opened.has_value() || !opens);
    }
    return 0;
}
