// Tests real traces: the window shows what et-inspect prints, and hostile files are handled.
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"
#include "tests/support/shared_data.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <gtest/gtest.h>

#include <string>

namespace et::test {

namespace {

/// Returns the files of each trace in the manifest, trace first.
std::vector<std::vector<std::filesystem::path>> realSets() {
    QFile file(QString::fromStdString((sharedData() / "manifest.json").string()));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    const QJsonObject manifest = QJsonDocument::fromJson(file.readAll()).object();
    std::vector<std::vector<std::filesystem::path>> sets;
    for (const auto& entry : manifest[QStringLiteral("traces")].toArray()) {
        const QJsonObject trace = entry.toObject();
        const std::filesystem::path folder =
            sharedData() / "traces" / trace[QStringLiteral("trace")].toString().toStdString();
        std::vector<std::filesystem::path> files{folder / "trace.etdp"};
        if (const QString record = trace[QStringLiteral("etrecord")].toString(); !record.isEmpty()) {
            files.push_back(sharedData() / record.toStdString());
        }
        if (std::filesystem::exists(folder / "debug_buffer.bin")) {
            files.push_back(folder / "debug_buffer.bin");
        }
        std::erase_if(files,
                      [](const std::filesystem::path& path) { return !std::filesystem::exists(path); });
        sets.push_back(files);
    }
    return sets;
}

TEST(RealTrace, WindowMatchesTheCommandLine) {
    ET_NEEDS_SHARED_DATA();
    const auto sets = realSets();
    ASSERT_FALSE(sets.empty());
    WindowDriver driver;
    driver.trigger(QStringLiteral("ms"));  // unit of piped command-line tables
    for (const auto& files : sets) {
        SCOPED_TRACE(files.front());
        driver.open(files);
        EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
        EXPECT_EQ(driver.shown(),
                  gridCells(inspectOutput(files, {QStringLiteral("--columns"), driver.columnIds()})));
        EXPECT_EQ(driver.warnings().isEmpty(), driver.window().opened().blocks()->warnings().empty());
    }
}

TEST(RealTrace, EachRowHasItsDetails) {
    ET_NEEDS_SHARED_DATA();
    WindowDriver driver;
    for (const auto& files : realSets()) {
        SCOPED_TRACE(files.front());
        driver.open(files);
        const auto blocks = driver.window().opened().blocks()->blocks();
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            for (std::size_t event = 0; event < blocks[block].events.size(); ++event) {
                driver.window().selection().setCurrent(visualizers::EventRef{block, event});
                const std::string name(blocks[block].events[event].name);
                ASSERT_TRUE(driver.details().contains(QString::fromStdString(name)))
                    << name << " in " << driver.details().toStdString();
            }
        }
    }
}

TEST(RealTrace, BrokenAndOldFilesAreLinesOrTables) {
    ET_NEEDS_SHARED_DATA();
    WindowDriver driver;
    for (const char* const folder : {"broken", "legacy"}) {
        for (const char* const extension : {".etdp", ".etrecord"}) {
            for (const auto& file : sharedFiles(folder, extension)) {
                SCOPED_TRACE(file);
                driver.press(Qt::Key_W, Qt::ControlModifier);
                driver.open({file});
                EXPECT_NE(driver.window().opened().session() == nullptr, driver.errors().isEmpty());
                for (const QString& line : driver.errors()) {
                    EXPECT_FALSE(line.contains(u'\n'));
                }
            }
        }
    }
}

}  // namespace

}  // namespace et::test
