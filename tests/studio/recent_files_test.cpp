#include "app/studio/recent_files.h"

#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace et::studio {

namespace {

using Paths = std::vector<std::filesystem::path>;

class RecentFilesTest : public testing::Test {
  protected:
    QTemporaryDir folder;
    QSettings settings{folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat};
    QMenu menu;
};

TEST_F(RecentFilesTest, PutsTheNewestFirstAndEachOnce) {
    RecentFiles recent(settings, menu);
    EXPECT_FALSE(menu.isEnabled()) << "nothing to offer yet";
    recent.add({"/a/x.etdp", "/a/y.etrecord"});
    recent.add({"/b/z.etdp"});
    recent.add({"/a/x.etdp", "/a/y.etrecord"});
    const QList<QStringList> expected{{QStringLiteral("/a/x.etdp"), QStringLiteral("/a/y.etrecord")},
                                      {QStringLiteral("/b/z.etdp")}};
    EXPECT_EQ(recent.sets(), expected);
    EXPECT_TRUE(menu.isEnabled());
    EXPECT_EQ(menu.actions().first()->text(), QStringLiteral("x.etdp + y.etrecord  (a)"));
}

TEST_F(RecentFilesTest, RemembersAcrossStartsUpToALimit) {
    {
        RecentFiles recent(settings, menu);
        for (int i = 0; i < RecentFiles::maxSets + 5; ++i) {
            recent.add({"/t/" + std::to_string(i) + ".etdp"});
        }
    }
    RecentFiles again(settings, menu);
    ASSERT_EQ(again.sets().size(), RecentFiles::maxSets);
    EXPECT_EQ(again.sets().first(), QStringList{QStringLiteral("/t/14.etdp")});
}

TEST_F(RecentFilesTest, OffersTheFilesOfASet) {
    RecentFiles recent(settings, menu);
    Paths opened;
    QObject::connect(&recent, &RecentFiles::chosen, [&](const Paths& paths) { opened = paths; });
    recent.add({"/a/x.etdp", "/a/ü.etrecord"});
    menu.actions().first()->trigger();
    EXPECT_EQ(opened, (Paths{"/a/x.etdp", "/a/ü.etrecord"}));
    menu.actions().last()->trigger();
    EXPECT_TRUE(recent.sets().isEmpty()) << "cleared";
}

}  // namespace

}  // namespace et::studio
