#include "inspector/session/session.h"

#include "inspector/session/artifact.h"
#include "inspector/session/placement.h"
#include "tests/inspector/join_support.h"
#include "tests/support/program_file.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace et::inspector {
namespace {

using std::filesystem::path;
using testing::HasSubstr;

core::Bytes bytesOf(std::string_view text) {
    return std::as_bytes(std::span(text));
}

TEST(Artifact, IsDetectedByItsMagic) {
    using namespace std::string_view_literals;
    EXPECT_EQ(core::detectFileKind(bytesOf("....ET12...."sv)), core::FileKind::Program);
    EXPECT_EQ(core::detectFileKind(bytesOf("....FT01...."sv)), core::FileKind::TensorData);
    EXPECT_EQ(core::detectFileKind(bytesOf("....BP08...."sv)), core::FileKind::BundledProgram);
    EXPECT_EQ(core::detectFileKind(bytesOf("....ED00...."sv)), core::FileKind::Trace);
    EXPECT_EQ(core::detectFileKind(bytesOf("........ED00"sv)), core::FileKind::Trace);
    EXPECT_EQ(core::detectFileKind(bytesOf("SQLite format 3\0"sv)), core::FileKind::Database);
    EXPECT_EQ(core::detectFileKind(bytesOf("PK\x03\x04 some other zip"sv)), core::FileKind::Unknown);
    for (const std::string_view strange : {""sv, "ET"sv, "....ET"sv, "....ETxx"sv, "PK"sv, "PK\x03\x04"sv}) {
        EXPECT_EQ(core::detectFileKind(bytesOf(strange)), core::FileKind::Unknown) << strange;
    }
}

TEST(Artifact, RecordIsAZipWithItsEntry) {
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", test::edgeGraph({"aten.mm.default"}));
    EXPECT_EQ(core::detectFileKind(writer.finish().value()), core::FileKind::Record);
}

TEST(Artifact, EachKindHasAName) {
    for (const core::FileKind kind :
         {core::FileKind::Program, core::FileKind::TensorData, core::FileKind::Trace, core::FileKind::Record,
          core::FileKind::BundledProgram, core::FileKind::Package, core::FileKind::Database,
          core::FileKind::Unknown}) {
        EXPECT_FALSE(core::fileKindName(kind).empty());
    }
}

TEST(Artifact, DetectsRealFiles) {
    ET_NEEDS_SHARED_DATA();
    const std::vector<std::pair<std::string, core::FileKind>> kinds{{".pte", core::FileKind::Program},
                                                                    {".ptd", core::FileKind::TensorData},
                                                                    {".bpte", core::FileKind::BundledProgram},
                                                                    {".etrecord", core::FileKind::Record}};
    for (const auto& [extension, kind] : kinds) {
        const auto files = test::sharedFiles("programs", extension);
        EXPECT_FALSE(files.empty());
        for (const path& file : files) {
            EXPECT_EQ(core::detectFileKind(core::MappedFile::open(file).value()->bytes()), kind) << file;
        }
    }
    for (const path& file : test::sharedFiles("traces", ".etdp")) {
        EXPECT_EQ(core::detectFileKind(test::readBytes(file)), core::FileKind::Trace) << file;
    }
    EXPECT_EQ(core::detectFileKind(test::readBytes(test::sharedData() / "legacy/etdump_2023.etdp")),
              core::FileKind::Trace);
    EXPECT_EQ(core::detectFileKind(test::readBytes(test::sharedData() / "legacy/etrecord_2023.bin")),
              core::FileKind::Record);
}

/// Creates a folder of small made-up files.
class SessionTest : public testing::Test {
  protected:
    void SetUp() override {
        folder = path(testing::TempDir()) / ("session_test_" + std::to_string(getpid()));
        std::filesystem::create_directories(folder);
        etdump::TraceWriter trace;
        trace.beginRun("Execute");
        test::writeKernel(trace, 0, "native_call_mm.out");
        write("a.etdp", trace.finish().value());
        etrecord::RecordWriter record;
        record.addEdgeGraph("forward", test::edgeGraph({"aten.mm.default"}));
        record.setMaps("forward", test::plainMaps(1));
        write("a.etrecord", record.finish().value());
        write("a.bin", std::vector<std::byte>(16));
        const core::Bytes program = bytesOf("....ET12....");
        write("program", {program.begin(), program.end()});
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    void write(const std::string& name, const std::vector<std::byte>& bytes) const {
        std::ofstream(folder / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }

    path folder;
};

TEST_F(SessionTest, SortsFilesByContentInAnyOrder) {
    const auto files = placeFiles({folder / "a.bin", folder / "a.etrecord", folder / "a.etdp"});
    ASSERT_TRUE(files) << files.error().toString();
    EXPECT_EQ(files->trace, folder / "a.etdp");
    EXPECT_EQ(files->record, folder / "a.etrecord");
    EXPECT_EQ(files->debugBuffer, folder / "a.bin");
    EXPECT_TRUE(placeFiles({folder / "a.etrecord"}));
}

TEST_F(SessionTest, SortsProgramsWhereTheyAreAskedFor) {
    const auto files = placeFiles({folder / "program", folder / "a.etdp"}, SessionScope::All);
    ASSERT_TRUE(files) << files.error().toString();
    EXPECT_EQ(files->program, folder / "program");
    EXPECT_EQ(files->trace, folder / "a.etdp");
    EXPECT_TRUE(placeFiles({folder / "program"}, SessionScope::All)) << "alone, too";
    EXPECT_FALSE(placeFiles({folder / "program"}));
    EXPECT_FALSE(placeFiles({folder / "a.bin", folder / "program"}, SessionScope::All))
        << "a debug buffer without its trace";
}

TEST_F(SessionTest, TensorDataCanBeAloneWhereItIsAskedFor) {
    write("w.ptd", test::writeTensorData({}));
    EXPECT_FALSE(placeFiles({folder / "w.ptd"}, SessionScope::All));
    const auto files = placeFiles({folder / "w.ptd"}, SessionScope::Tensors);
    ASSERT_TRUE(files) << files.error().toString();
    EXPECT_EQ(files->tensorData, folder / "w.ptd");
    EXPECT_TRUE(Session::open(*files, {}));
}

TEST_F(SessionTest, ABundleBringsItsProgram) {
    test::BundleSpec spec{.suites = {{"forward", {}}}, .program = test::writeProgram(test::addProgram())};
    write("a.bpte", test::writeBundle(spec));
    SessionFiles files;
    files.bundle = folder / "a.bpte";
    const auto session = Session::open(files);
    ASSERT_TRUE(session) << session.error().toString();
    EXPECT_TRUE((*session)->bundle);
    EXPECT_TRUE((*session)->program);
    EXPECT_TRUE((*session)->problems.empty());

    spec.program = std::vector<std::byte>(64);
    write("b.bpte", test::writeBundle(spec));
    files.bundle = folder / "b.bpte";
    const auto without = Session::open(files);
    ASSERT_TRUE(without) << without.error().toString();
    EXPECT_TRUE((*without)->bundle) << "its cases can be shown";
    EXPECT_FALSE((*without)->program);
    ASSERT_EQ((*without)->problems.size(), 1U);
    EXPECT_THAT((*without)->problems[0], HasSubstr("b.bpte"));
    files.program = folder / "missing.pte";
    EXPECT_FALSE(Session::open(files));
}

TEST_F(SessionTest, RejectsUnknownFiles) {
    const auto said = [](const core::Result<SessionFiles>& files) {
        EXPECT_FALSE(files);
        return files ? std::string() : files.error().toString();
    };
    write("b.etdp", test::readBytes(folder / "a.etdp"));
    EXPECT_THAT(said(placeFiles({folder / "a.etdp", folder / "b.etdp"})),
                testing::AllOf(HasSubstr("b.etdp: a second file"), HasSubstr("a.etdp")));
    EXPECT_THAT(said(placeFiles({folder / "a.bin"})), HasSubstr("a.bin: unknown file type"));
    write("empty", {});
    EXPECT_THAT(said(placeFiles({folder / "empty"})), HasSubstr("empty: the file is empty"));
    EXPECT_THAT(said(placeFiles({folder / "a.etdp", folder / "program"})), HasSubstr("got a program (.pte)"));
    EXPECT_THAT(said(placeFiles({folder / "missing"})), HasSubstr("missing"));
    EXPECT_THAT(said(placeFiles({})), HasSubstr("nothing to show"));
}

TEST_F(SessionTest, OpensAndJoins) {
    const auto session = Session::open({folder / "a.etdp", folder / "a.etrecord", folder / "a.bin"});
    ASSERT_TRUE(session) << session.error().toString();
    EXPECT_EQ((*session)->blocks->blocks()[0].method, "forward");
    EXPECT_EQ((*session)->blocks->debugBuffer(), (*session)->debugBuffer.get());
    const auto alone = Session::open({.trace = {}, .record = folder / "a.etrecord", .debugBuffer = {}});
    ASSERT_TRUE(alone);
    EXPECT_EQ((*alone)->blocks, nullptr);
}

TEST_F(SessionTest, ReadsRecognizedFilesWithoutOpeningThemAgain) {
    const auto files = recognizeFiles(std::vector{folder / "a.etdp", folder / "a.etrecord"});
    ASSERT_TRUE(files) << files.error().toString();
    std::filesystem::remove(folder / "a.etdp");
    std::filesystem::remove(folder / "a.etrecord");
    const auto placed = placeFiles(*files, SessionScope::All);
    ASSERT_TRUE(placed) << placed.error().toString();
    EXPECT_FALSE(Session::open(*placed));
    const auto session = Session::open(*placed, {}, *files);
    ASSERT_TRUE(session) << session.error().toString();
    EXPECT_EQ((*session)->blocks->blocks()[0].method, "forward");
}

TEST_F(SessionTest, ErrorNamesTheFile) {
    for (const auto& [trace, record, wrong] :
         {std::tuple("a.bin", "a.etrecord", "a.bin"), std::tuple("a.etdp", "a.bin", "a.bin"),
          std::tuple("missing", "a.etrecord", "missing")}) {
        const auto session = Session::open({folder / trace, folder / record, {}});
        ASSERT_FALSE(session);
        EXPECT_THAT(session.error().toString(), HasSubstr((folder / wrong).string()));
    }
}

}  // namespace
}  // namespace et::inspector
