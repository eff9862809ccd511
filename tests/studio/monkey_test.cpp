// Tests that the window survives random input, even if files change, its child processes die and nothing can
// be written. A few hundred random actions by default; ET_MONKEY_SECONDS=1200 sets a duration (the preset
// asan-studio finds more), ET_MONKEY_SEED selects other actions.
#include "tests/studio/monkey.h"

#include "app/studio/panel_area.h"
#include "app/studio/session_saver.h"
#include "inspector/store/session_store.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/mapped_ranges.h"
#include "tests/studio/no_browser.h"
#include "tests/studio/saboteur.h"
#include "tests/studio/studio_fixture.h"
#include "tests/studio/window_driver.h"

#include <QDesktopServices>
#include <QElapsedTimer>
#include <QTest>
#include <QUrl>

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

namespace et::test {

namespace {

constexpr std::uint32_t firstSeed = 20'251;
constexpr int usualSteps = 300;

/// Qt warnings: a painter without a device, an unknown signal, a model that violates its contract.
QStringList& complaints() {
    static QStringList lines;
    return lines;
}

void takeMessage(QtMsgType type, const QMessageLogContext&, const QString& text) {
    // Ignores warnings about limits of the offscreen platform.
    const bool usual = text.startsWith(QStringLiteral("This plugin does not support"));
    if (type >= QtWarningMsg && type != QtInfoMsg && !usual) {
        complaints().append(text);
        std::fprintf(stderr, "Qt: %s\n", qPrintable(text));
    }
}

/// Redirects the window's cache of session files.
class CacheIn {
  public:
    explicit CacheIn(const std::filesystem::path& folder) : before(qgetenv("XDG_CACHE_HOME")) {
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(folder.string()));
    }
    ~CacheIn() { qputenv("XDG_CACHE_HOME", before); }
    CacheIn(const CacheIn&) = delete;
    CacheIn& operator=(const CacheIn&) = delete;

  private:
    QByteArray before;
};

class MonkeyTest : public StudioTest {
  protected:
    MonkeyTest() : before(qInstallMessageHandler(takeMessage)) { complaints().clear(); }
    ~MonkeyTest() override { qInstallMessageHandler(before); }

    /// Valid sets of two models, more traces, and each file damaged in several ways.
    [[nodiscard]] std::vector<std::filesystem::path> files() {
        std::vector<std::filesystem::path> all = runSamplePaths();
        sound = samplePaths();  // called once: open files must not be overwritten
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

/// Duration and seed of a run.
struct Plan {
    int seconds = qEnvironmentVariableIntValue("ET_MONKEY_SECONDS");
    std::uint32_t seed = firstSeed;
    int usualSteps = 0;

    explicit Plan(int steps) : usualSteps(steps) {
        bool isGiven = false;
        const uint given = qEnvironmentVariable("ET_MONKEY_SEED").toUInt(&isGiven);
        seed = isGiven ? given : firstSeed;
        std::printf("monkey: seed %u\n", seed);
        std::fflush(stdout);
    }

    /// Steps until the time is up or Qt warns; in that case, reports the last actions.
    void follow(Monkey& monkey) const {
        QElapsedTimer clock;
        clock.start();
        int steps = 0;
        const auto goesOn = [&] {
            return complaints().isEmpty() &&
                   (seconds > 0 ? clock.elapsed() < qint64{seconds} * 1000 : steps < usualSteps);
        };
        for (; goesOn(); ++steps) {
            monkey.step();
        }
        std::printf("monkey: %d steps, and was at", steps);
        for (const auto& [place, count] : monkey.reached()) {
            std::printf(" %s %d", place.c_str(), count);
        }
        std::printf("\n");
        EXPECT_TRUE(complaints().isEmpty()) << complaints().join(u'\n').toStdString()
                                            << "\nwith the focus on " << pathOf(QApplication::focusWidget())
                                            << "\nin " << pathOf(QApplication::activeWindow()) << "\nafter\n"
                                            << diaryOf(monkey);
    }

    /// A widget with its parents.
    [[nodiscard]] static std::string pathOf(const QObject* object) {
        std::string path;
        for (; object != nullptr; object = object->parent()) {
            path += std::string(path.empty() ? "" : " < ") + object->metaObject()->className() + " " +
                    object->objectName().toStdString();
        }
        return path.empty() ? "nothing" : path;
    }

    [[nodiscard]] static std::string diaryOf(const Monkey& monkey) {
        std::string diary;
        for (const std::string& line : monkey.diary()) {
            diary += line + "\n";
        }
        return diary;
    }
};

/// Checks that the window still works. Notes written on the way would cause a question before other files
/// open, and "Cancel" would keep the open files, which may have no trace.
void expectWorks(WindowDriver& driver, const std::vector<std::filesystem::path>& sound, Monkey& monkey) {
    monkey.giveUpNotes();
    driver.window().open(sound);
    driver.waitUntilIdle();
    EXPECT_TRUE(QTest::qWaitFor([&] { return driver.window().opened().blocks() != nullptr; }, 5'000))
        << Plan::diaryOf(monkey);
    EXPECT_TRUE(WindowDriver::onScreen(driver.window().area().current())) << Plan::diaryOf(monkey);
}

TEST_F(MonkeyTest, WindowSurvivesRandomInput) {
    const NoBrowser noBrowser;
    const Plan plan(usualSteps);
    WindowDriver driver;
    // Without processes: everything that would run a model reports that it cannot.
    driver.useProgram(folder() / "no_such_program");
    Monkey monkey(driver.window(), plan.seed, files());
    plan.follow(monkey);
    driver.waitUntilIdle();
    const auto& current = driver.window().selection().current();
    EXPECT_TRUE(!current || driver.window().selection().currentEvent() != nullptr);
    expectWorks(driver, sound, monkey);
}

/// Checks that saved sessions are complete, whatever happened to the disk and the source files.
void expectSessionsOpen(const std::filesystem::path& saved) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(saved)) {
        if (inspector::store::isDatabase(entry.path())) {
            const auto store = inspector::store::SessionStore::open(entry.path());
            EXPECT_TRUE(store) << store.error().toString();
            ++count;
        }
    }
    std::printf("monkey: %d sessions are saved\n", count);
}

TEST_F(MonkeyTest, TheWindowStaysWhereFilesChangeAndProcessesDie) {
    const NoBrowser noBrowser;
    const CacheIn cache(folder() / "cache");
    EXPECT_TRUE(core::guardMappedFiles());
    const Plan plan(usualSteps / 2);
    WindowDriver driver;
    const std::vector<std::filesystem::path> all = files();
    const std::filesystem::path saved = folder() / "saved";
    std::filesystem::create_directory(saved);
    Monkey monkey(driver.window(), plan.seed, all);
    monkey.chooseFilesIn(saved);
    Saboteur saboteur(all, plan.seed);
    plan.follow(monkey);
    saboteur.stop();
    const Saboteur::Counts& done = saboteur.counts();
    std::printf("saboteur: files cut off %" PRIu64 ", rewritten %" PRIu64 ", replaced %" PRIu64
                ", deleted %" PRIu64 ", restored %" PRIu64 "; processes killed %" PRIu64 ", stopped %" PRIu64
                "; disk full %" PRIu64 " times\n",
                done.cutOff, done.rewritten, done.replaced, done.deleted, done.restored, done.killed,
                done.stopped, done.fullDisks);
    driver.waitUntilIdle();
    expectWorks(driver, sound, monkey);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !driver.window().saver().busy(); }, 30'000));
    expectSessionsOpen(saved);
}

}  // namespace

}  // namespace et::test
