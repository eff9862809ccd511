// Whatever a person does, the window stays. A few hundred random things; ET_MONKEY_SECONDS=1200 goes on for
// as long as that (the preset asan-studio sees more), ET_MONKEY_SEED does others.
#include "tests/studio/monkey.h"

#include "app/studio/room_area.h"
#include "runtime/core/mapped_file.h"
#include "tests/studio/no_browser.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"

#include <QDesktopServices>
#include <QElapsedTimer>
#include <QTest>
#include <QUrl>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace et::test {

namespace {

constexpr std::uint32_t firstSeed = 20'251;
constexpr int usualSteps = 300;

/// What Qt complained of: a painter without a device, an unknown signal, a model that breaks its rules.
QStringList& complaints() {
    static QStringList lines;
    return lines;
}

void takeMessage(QtMsgType type, const QMessageLogContext&, const QString& text) {
    // What the offscreen platform cannot do.
    const bool usual = text.startsWith(QStringLiteral("This plugin does not support"));
    if (type >= QtWarningMsg && type != QtInfoMsg && !usual) {
        complaints().append(text);
        std::fprintf(stderr, "Qt: %s\n", qPrintable(text));
    }
}

class MonkeyTest : public StudioTest {
  protected:
    MonkeyTest() : before(qInstallMessageHandler(takeMessage)) { complaints().clear(); }
    ~MonkeyTest() override { qInstallMessageHandler(before); }

    /// Sound sets of two models, further traces, and each file damaged in several ways.
    [[nodiscard]] std::vector<std::filesystem::path> files() {
        std::vector<std::filesystem::path> all = runSamplePaths();
        sound = samplePaths();  // once: files that are open must not be written over
        all.insert(all.end(), sound.begin(), sound.end());
        all.push_back(write("small.etdp", smallTrace(3)));
        all.push_back(write("more.etdp", smallTrace(7)));
        all.push_back(write("letter.txt", "dear model"));
        all.push_back(folder() / "missing.etdp");
        for (const std::filesystem::path& file : std::vector(all)) {
            addDamaged(file, all);
        }
        return all;
    }

    std::vector<std::filesystem::path> sound;

  private:
    void addDamaged(const std::filesystem::path& file, std::vector<std::filesystem::path>& all) {
        const auto mapped = core::MappedFile::open(file);
        if (!mapped) {
            return;
        }
        const core::Bytes bytes = (*mapped)->bytes();
        std::string content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (content.size() < 64) {
            return;
        }
        const std::string name = file.filename().string();
        all.push_back(write("cut_" + name, std::string_view(content).substr(0, content.size() / 2)));
        std::mt19937 random(7);
        for (int i = 0; i < 20; ++i) {
            content[random() % content.size()] ^= static_cast<char>(1U << random() % 8);
        }
        all.push_back(write("bits_" + name, content));
    }

    QtMessageHandler before;
};

TEST_F(MonkeyTest, TheWindowStays) {
    const NoBrowser noBrowser;
    const int seconds = qEnvironmentVariableIntValue("ET_MONKEY_SECONDS");
    bool seeded = false;
    const uint given = qEnvironmentVariable("ET_MONKEY_SEED").toUInt(&seeded);
    const std::uint32_t seed = seeded ? given : firstSeed;
    std::printf("monkey: seed %u\n", seed);
    std::fflush(stdout);
    WindowDriver driver;
    // No processes: what would run a model says that it cannot.
    driver.useProgram(folder() / "no_such_program");
    Monkey monkey(driver.window(), seed, files());
    QElapsedTimer clock;
    clock.start();
    const auto goesOn = [&](int steps) {
        return complaints().isEmpty() &&
               (seconds > 0 ? clock.elapsed() < seconds * 1000 : steps < usualSteps);
    };
    int steps = 0;
    for (; goesOn(steps); ++steps) {
        monkey.step();
    }
    std::printf("monkey: %d steps\n", steps);
    std::string diary;
    for (const std::string& line : monkey.diary()) {
        diary += line + "\n";
    }
    EXPECT_TRUE(complaints().isEmpty()) << complaints().join(u'\n').toStdString() << "\nafter\n" << diary;
    driver.waitUntilIdle();
    const auto& current = driver.window().selection().current();
    EXPECT_TRUE(!current || driver.window().selection().currentEvent() != nullptr);

    // It still does what it is for.
    driver.window().open(sound);
    driver.waitUntilIdle();
    EXPECT_TRUE(driver.window().opened().blocks()) << diary;
    EXPECT_TRUE(WindowDriver::onScreen(driver.window().area().current())) << diary;
}

}  // namespace

}  // namespace et::test
