#include "inspector/store/session_store.h"

#include "backends/builtin.h"
#include "inspector/events/event_table.h"
#include "inspector/events/readable_name.h"
#include "inspector/format/checksum.h"
#include "inspector/roofline/trace_limits.h"
#include "inspector/store/session/session_tables.h"
#include "tests/inspector/store/session_support.h"
#include "tests/inspector/store/store_support.h"
#include "tests/support/generated_trace.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

// Tests of saving a session to a file and loading it.
namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using test::askRows;
using test::sampleSession;
using test::savedSession;
using Lines = std::vector<std::string>;

SessionStore opened(const fs::path& path) {
    auto store = SessionStore::open(path);
    EXPECT_TRUE(store) << store.error().toString();
    return *std::move(store);
}

std::string eventTable(const Session& session) {
    events::EventTableOptions options;
    options.columns = {"all"};
    return events::renderEvents(*session.blocks, options, format::Format::Csv).value();
}

TEST(SessionStore, ComesBackWhole) {
    const test::ScratchFolder folder;
    const auto session = sampleSession(folder.path());
    const fs::path path = savedSession(folder.path(), *session);
    for (const fs::path& file : {session->files.trace, session->files.program, session->files.record}) {
        fs::remove(file);
    }
    const SessionStore store = opened(path);
    ASSERT_EQ(store.files().size(), 5U);
    const auto again = store.session(store.joinOptions());
    ASSERT_TRUE(again) << again.error().toString();
    EXPECT_EQ(eventTable(**again), eventTable(*session));
    EXPECT_EQ((*again)->program->methods.size(), session->program->methods.size());
    EXPECT_EQ((*again)->bundle->suites.size(), session->bundle->suites.size());
    EXPECT_EQ(test::integrityOf(path), "ok");
}

TEST(SessionStore, FilesAreTheSameBytes) {
    const test::ScratchFolder folder;
    const auto session = sampleSession(folder.path());
    const SessionStore store = opened(savedSession(folder.path(), *session));
    const auto files = store.extract(folder.path() / "out", Existing::Keep);
    ASSERT_TRUE(files) << files.error().toString();
    EXPECT_EQ(test::readText(files->trace), test::readText(session->files.trace));
    EXPECT_EQ(test::readText(files->record), test::readText(session->files.record));
    EXPECT_EQ(test::readText(files->program), test::readText(session->files.program));
    EXPECT_EQ(test::readText(files->bundle), test::readText(session->files.bundle));
    EXPECT_EQ(test::readText(files->debugBuffer), test::readText(session->files.debugBuffer));
}

TEST(SessionStore, HasTheTablesThatFilesHave) {
    const test::ScratchFolder folder;
    const auto session = sampleSession(folder.path());
    const SessionStore store = opened(savedSession(folder.path(), *session));
    const auto inMemory = sessionDatabase(*session, {.backends = backends::describable()});
    ASSERT_TRUE(inMemory) << inMemory.error().toString();
    for (const SessionTable& table : sessionTables()) {
        const std::string name(table.name);
        if (name != "session" && name != "files" && name != "file_parts") {
            EXPECT_EQ(askRows(*store.database(), "SELECT * FROM " + name),
                      askRows(**inMemory, "SELECT * FROM " + name));
        }
    }
}

TEST(SessionStore, RowsMatchTheValues) {
    const test::ScratchFolder folder;
    const auto session = sampleSession(folder.path());
    const auto database = sessionDatabase(*session, {.backends = backends::describable()});
    ASSERT_TRUE(database) << database.error().toString();
    const program::Method& method = session->program->methods.front();
    EXPECT_EQ(askRows(**database, "SELECT method, planned_bytes, instructions FROM methods"),
              Lines{std::string(method.name) + "|" + std::to_string(method.plannedBytes()) + "|" +
                    std::to_string(method.chains.front().instructions.size())});
    std::size_t events = 0;
    std::size_t samples = 0;
    Lines titles;
    for (const Block& block : session->blocks->blocks()) {
        events += block.events.size();
        for (const Event& event : block.events) {
            samples += event.samples.size();
            titles.push_back(events::readableName(block, event));
        }
    }
    std::ranges::sort(titles);
    EXPECT_EQ(askRows(**database, "SELECT title FROM events ORDER BY title"), titles);
    EXPECT_EQ(askRows(**database, "SELECT count(*), sum(samples) FROM events"),
              Lines{std::to_string(events) + "|" + std::to_string(samples)});
    EXPECT_EQ(askRows(**database, "SELECT count(*) FROM samples"), Lines{std::to_string(samples)});
    EXPECT_EQ(askRows(**database,
                      "SELECT count(*) FROM events e WHERE abs(e.average - (SELECT avg(duration) FROM "
                      "samples s WHERE s.event = e.event)) > 1e-9"),
              Lines{"0"});
    EXPECT_EQ(askRows(**database,
                      "SELECT count(*) > 0, min(i.kind) FROM events e JOIN instructions i USING (method, "
                      "instruction) WHERE e.kind = 'operator'"),
              Lines{"1|KernelCall"});
    EXPECT_EQ(askRows(**database,
                      "SELECT count(*) > 0 FROM event_nodes n JOIN nodes USING (graph, node) JOIN "
                      "stack_frames USING (graph, node) WHERE line > 0"),
              Lines{"1"});
    const auto costs =
        eventCosts(*session->blocks, {.program = *session->program, .backends = backends::describable()});
    ASSERT_FALSE(costs.empty());
    EXPECT_EQ(askRows(**database,
                      "SELECT count(*), min(operations) >= 0 FROM event_costs JOIN events USING (event)"),
              Lines{std::to_string(costs.size()) + "|1"});
    EXPECT_EQ(
        askRows(**database, "SELECT count(*) FROM arguments WHERE access IN ('write', 'update')").size(), 1U);
    EXPECT_EQ(askRows(**database, "SELECT max(bytes) = (SELECT peak_bytes FROM arenas) FROM live_bytes"),
              Lines{"1"});
}

TEST(SessionStore, KeepsNotesAndLayout) {
    const test::ScratchFolder folder;
    const auto session = sampleSession(folder.path());
    const fs::path path = folder.path() / "s.db";
    const Note note{.text = "slow; why?",
                    .method = "forward",
                    .instruction = core::InstructionId(3),
                    .delegated = "Convolution (NHWC, F32) IGEMM #1",
                    .debugHandle = core::DebugHandle(7),
                    .created = "2026-11-21T04:05:06Z"};
    const LayoutEntry entry{.key = "panels/state", .value = {std::byte{0}, std::byte{255}}};
    ASSERT_TRUE(saveSession(path, *session, {.notes = {note}, .layout = {entry}}));
    ASSERT_TRUE(addNote(path, {.text = "another"}));
    const SessionStore store = opened(path);
    const auto notes = store.notes();
    ASSERT_TRUE(notes);
    ASSERT_EQ(notes->size(), 2U);
    EXPECT_EQ(notes->front(), note);
    EXPECT_EQ(notes->back().text, "another");
    EXPECT_EQ(notes->back().created.size(), note.created.size());
    EXPECT_EQ(store.layout().value(), std::vector{entry});
    EXPECT_FALSE(fs::exists(path.string() + "-wal"));
}

TEST(SessionStore, MergesNotesOfTwo) {
    const test::ScratchFolder folder;
    const auto session = sampleSession(folder.path());
    const fs::path path = folder.path() / "s.db";
    const auto note = [](const char* text) { return Note{.text = text, .created = "2026-11-21T04:05:06Z"}; };
    const std::vector<Note> seen{note("stays"), note("removed here"), note("changed there")};
    ASSERT_TRUE(saveSession(path, *session, {.notes = {note("stays"), note("removed here"), note("added")}}));
    const auto saved = saveSession(
        path, *session, {.notes = {note("stays"), note("changed there"), note("mine")}, .lastSeen = seen});
    const std::vector<Note> merged{note("stays"), note("mine"), note("added")};
    EXPECT_EQ(saved.value(), merged);
    EXPECT_EQ(opened(path).notes().value(), merged);
    EXPECT_EQ(saveSession(path, *session, {.notes = seen}).value(), seen);
    EXPECT_EQ(opened(path).notes().value(), seen);
}

TEST(SessionStore, KeepsJoinOptions) {
    const test::ScratchFolder folder;
    const auto first = sampleSession(folder.path());
    const auto session = Session::open(
        first->files,
        {.clock = {.unit = TimeScale::Microseconds}, .target = TimeScale::Seconds, .method = "forward"});
    ASSERT_TRUE(session) << session.error().toString();
    const SessionStore store = opened(savedSession(folder.path(), **session));
    EXPECT_EQ(store.joinOptions().clock.unit, TimeScale::Microseconds);
    EXPECT_EQ(store.joinOptions().target, TimeScale::Seconds);
    EXPECT_EQ(store.joinOptions().method, "forward");
}

TEST(SessionStore, FurtherTracesComeAlong) {
    const test::ScratchFolder folder;
    const auto first = sampleSession(folder.path());
    const fs::path other = folder.path() / "other" / first->files.trace.filename();
    fs::create_directory(other.parent_path());
    fs::copy_file(first->files.trace, other);
    const auto session = first->withTraces({{.trace = other}});
    ASSERT_TRUE(session) << session.error().toString();
    const SessionStore store = opened(savedSession(folder.path(), **session));
    EXPECT_EQ(askRows(*store.database(), "SELECT trace, count(*) FROM blocks GROUP BY trace").size(), 2U);
    EXPECT_EQ(askRows(*store.database(),
                      "SELECT count(DISTINCT n) FROM (SELECT count(*) AS n FROM events JOIN blocks "
                      "USING (block) GROUP BY trace)"),
              Lines{"1"});
    const auto files = store.extract(folder.path() / "out", Existing::Keep);
    ASSERT_TRUE(files) << files.error().toString();
    ASSERT_EQ(files->others.size(), 1U);
    EXPECT_EQ(test::readText(files->others.front().trace), test::readText(other));
}

/// Writes a count file next to a trace: `faults` page faults of instruction 0 of every method.
void writeCounts(const fs::path& traceFile, const etdump::Trace& trace, int faults) {
    const TraceMark mark = markOf(trace);
    std::ofstream(InstructionCounts::fileOf(traceFile))
        << R"({"schema": 1, "method": "forward", "trace": {"events": )" << mark.events
        << R"(, "first_start": )" << mark.firstStart
        << R"(}, "instructions": [{"chain": 0, "instruction": 0, "page_faults": )" << faults << "}]}";
}

TEST(SessionStore, CountsComeAlong) {
    const test::ScratchFolder folder;
    const auto plain = sampleSession(folder.path());
    const fs::path other = folder.path() / "other" / plain->files.trace.filename();
    fs::create_directory(other.parent_path());
    fs::copy_file(plain->files.trace, other);
    writeCounts(plain->files.trace, *plain->trace, 7);
    writeCounts(other, *plain->trace, 9);
    SessionFiles files = plain->files;
    files.others = {{.trace = other}};
    const auto session = Session::open(files);
    ASSERT_TRUE(session) << session.error().toString();
    ASSERT_NE(eventTable(**session), eventTable(*plain)) << "nothing was counted";
    const fs::path path = savedSession(folder.path(), **session);
    for (const fs::path& trace : {plain->files.trace, other}) {
        fs::remove(InstructionCounts::fileOf(trace));
    }
    const SessionStore store = opened(path);
    const auto again = store.session(store.joinOptions());
    ASSERT_TRUE(again) << again.error().toString();
    EXPECT_EQ(eventTable(**again), eventTable(**session));
    const auto extracted = store.extract(folder.path() / "out", Existing::Keep);
    ASSERT_TRUE(extracted) << extracted.error().toString();
    const auto reopened = Session::open(*extracted);
    ASSERT_TRUE(reopened) << reopened.error().toString();
    EXPECT_EQ(eventTable(**reopened), eventTable(**session));
    ASSERT_EQ((*reopened)->others.size(), 1U);
    const auto& counts = (*reopened)->others[0].blocks->options().counts;
    ASSERT_NE(counts, nullptr);
    EXPECT_EQ(counts->instructions.at({0, 0})[static_cast<std::size_t>(Counter::PageFaults)], 9);
}

TEST(SessionStore, CancelledSaveKeepsTheOldFile) {
    const test::ScratchFolder folder;
    const auto session = sampleSession(folder.path());
    const fs::path path = savedSession(folder.path(), *session);
    const std::string before = test::readText(path);
    const std::atomic<bool> cancel = true;
    const auto saved = saveSession(path, *session, {.cancel = &cancel});
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code, core::ErrorCode::Cancelled);
    EXPECT_EQ(test::readText(path), before);
    for (const auto& entry : fs::directory_iterator(folder.path())) {
        EXPECT_FALSE(entry.path().string().ends_with(".part")) << entry.path();
    }
}

TEST(SessionStore, LargeTracesAreCompressed) {
    const test::ScratchFolder folder;
    const test::GeneratedTraceFile trace(200, 500);
    const auto session = Session::open({.trace = trace.path(), .record = {}, .debugBuffer = {}});
    ASSERT_TRUE(session) << session.error().toString();
    const SessionStore store = opened(savedSession(folder.path(), **session));
    EXPECT_EQ(askRows(*store.database(), "SELECT count(*) FROM samples"), Lines{"100000"});
    EXPECT_EQ(
        askRows(*store.database(), "SELECT sum(bytes) > 2 * sum(length(data)), count(*) > 1 FROM file_parts"),
        Lines{"1|1"});
    const auto again = store.session(store.joinOptions());
    ASSERT_TRUE(again) << again.error().toString();
    EXPECT_EQ(eventTable(**again), eventTable(**session));
}

TEST(SessionTables, ArePublishedAsTheyWere) {
    // Files with these tables exist. A change of sessionTables() needs a migration in session_schema.cpp that
    // creates them from the tables of version 1 given here.
    EXPECT_EQ(sessionSchema().version(), 8);
    const std::string_view first = sessionSchema().migrations.front();
    EXPECT_EQ(format::sha256(std::as_bytes(std::span(first.data(), first.size()))),
              "b3e1271314c8bca84e11b83ebeb3268bc61e74d8b60373becf09fa5e0240f267");
    const std::string_view second = sessionSchema().migrations[1];
    EXPECT_EQ(format::sha256(std::as_bytes(std::span(second.data(), second.size()))),
              "35f3e879630f576fb46560bdab9f8373023a7f8ba1619da5b5ccd0ad58ad90f9");
    EXPECT_EQ(sessionSchema().migrations[2], "ALTER TABLE notes ADD COLUMN delegated TEXT;\n");
    EXPECT_EQ(sessionSchema().migrations[6], "ALTER TABLE events ADD COLUMN title TEXT;\n");
}

TEST(SessionTables, HaveAMeaningEach) {
    for (const SessionTable& table : sessionTables()) {
        EXPECT_TRUE(table.meaning.ends_with('.')) << table.name;
        EXPECT_FALSE(table.columns.empty());
        for (const SessionColumn& column : table.columns) {
            EXPECT_FALSE(column.meaning.empty()) << table.name << "." << column.name;
        }
    }
    EXPECT_EQ(findSessionTable("strangers"), nullptr);
}

TEST(SessionTables, PageHasASectionForEachTable) {
    const std::string page = sessionTablesMarkdown();
    EXPECT_TRUE(page.starts_with("# SQL tables\n"));
    for (const SessionTable& table : sessionTables()) {
        EXPECT_NE(page.find(fmt::format("\n## {}\n", table.name)), std::string::npos) << table.name;
        for (const SessionColumn& column : table.columns) {
            EXPECT_NE(page.find(fmt::format("\n| `{}` | ", column.name)), std::string::npos) << column.name;
        }
    }
}

}  // namespace
}  // namespace et::inspector::store
