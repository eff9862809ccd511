#include "app/studio/notice_bar.h"

#include <QToolButton>

#include <gtest/gtest.h>

namespace et::studio {

namespace {

using Kind = NoticeBar::Kind;

TEST(NoticeBar, KeepsErrorsAndWarningsApart) {
    NoticeBar bar;
    EXPECT_TRUE(bar.isHidden());
    bar.setNotices(Kind::Error, {QStringLiteral("a"), QStringLiteral("b")});
    bar.setNotices(Kind::Warning, {QStringLiteral("c")});
    EXPECT_FALSE(bar.isHidden());
    bar.setNotices(Kind::Error, {QStringLiteral("d")});
    EXPECT_EQ(bar.notices(Kind::Error), QStringList{QStringLiteral("d")});
    EXPECT_EQ(bar.notices(Kind::Warning), QStringList{QStringLiteral("c")});
}

TEST(NoticeBar, GoesWhenTheLastLineIsDismissed) {
    NoticeBar bar;
    bar.setNotices(Kind::Warning, {QStringLiteral("a"), QStringLiteral("b")});
    for (QToolButton* const close : bar.findChildren<QToolButton*>()) {
        EXPECT_FALSE(bar.isHidden());
        close->click();
    }
    EXPECT_TRUE(bar.notices(Kind::Warning).isEmpty());
    EXPECT_TRUE(bar.isHidden());
}

TEST(NoticeBar, CutsManyLines) {
    NoticeBar bar;
    QStringList many;
    for (int i = 0; i < 40; ++i) {
        many.append(QString::number(i));
    }
    bar.setNotices(Kind::Warning, many);
    EXPECT_EQ(bar.notices(Kind::Warning).size(), 6);
    EXPECT_TRUE(bar.notices(Kind::Warning).last().contains(QStringLiteral("35 more")));
}

}  // namespace

}  // namespace et::studio
