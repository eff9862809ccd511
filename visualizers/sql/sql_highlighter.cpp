#include "visualizers/sql/sql_highlighter.h"

#include "inspector/store/session/session_tables.h"
#include "visualizers/sql/sql_completion.h"

#include <QRegularExpression>

namespace et::visualizers {

namespace {

/// Lexer state at the end of a line.
enum LineState : int { Plain = -1, InText = 1, InComment = 2 };

struct Colours {
    QRgb keyword, table, number, quoted, comment;
};
constexpr Colours light{0xffcf222e, 0xff8250df, 0xff0550ae, 0xff0a6640, 0xff656d76};
constexpr Colours dark{0xffff7b72, 0xffd2a8ff, 0xff79c0ff, 0xff7ee2a8, 0xff8d96a0};

}  // namespace

SqlHighlighter::SqlHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {
    keyword.setFontWeight(QFont::Bold);
    comment.setFontItalic(true);
    setDark(false);
}

void SqlHighlighter::setDark(bool isDark) {
    const Colours& colours = isDark ? dark : light;
    keyword.setForeground(QColor::fromRgb(colours.keyword));
    table.setForeground(QColor::fromRgb(colours.table));
    number.setForeground(QColor::fromRgb(colours.number));
    quoted.setForeground(QColor::fromRgb(colours.quoted));
    comment.setForeground(QColor::fromRgb(colours.comment));
    rehighlight();
}

void SqlHighlighter::highlightBlock(const QString& text) {
    highlightWords(text);
    highlightQuoted(text);
}

void SqlHighlighter::highlightWords(const QString& text) {
    static const QRegularExpression word(QStringLiteral(R"(\b[A-Za-z_]\w*\b|\b\d+(?:\.\d+)?\b)"));
    for (const QRegularExpressionMatch& match : word.globalMatch(text)) {
        const QString found = match.captured();
        const auto length = static_cast<int>(match.capturedLength());
        if (found.front().isDigit()) {
            setFormat(static_cast<int>(match.capturedStart()), length, number);
        } else if (sqlKeywords().contains(found, Qt::CaseInsensitive)) {
            setFormat(static_cast<int>(match.capturedStart()), length, keyword);
        } else if (inspector::store::findSessionTable(found.toLower().toStdString()) != nullptr) {
            setFormat(static_cast<int>(match.capturedStart()), length, table);
        }
    }
}

void SqlHighlighter::highlightQuoted(const QString& text) {
    int state = previousBlockState();
    int start = 0;
    for (int i = 0; i < text.size(); ++i) {
        const QStringView rest = QStringView(text).mid(i);
        if (state == InText && text.at(i) == u'\'') {
            setFormat(start, i + 1 - start, quoted);
            state = Plain;
        } else if (state == InComment && rest.startsWith(u"*/")) {
            setFormat(start, ++i + 1 - start, comment);
            state = Plain;
        } else if (state == Plain && rest.startsWith(u"--")) {
            setFormat(i, static_cast<int>(rest.size()), comment);
            break;
        } else if (state == Plain && (text.at(i) == u'\'' || rest.startsWith(u"/*"))) {
            state = text.at(i) == u'\'' ? InText : InComment;
            start = i;
        }
    }
    if (state != Plain) {
        setFormat(start, static_cast<int>(text.size()) - start, state == InText ? quoted : comment);
    }
    setCurrentBlockState(state);
}

}  // namespace et::visualizers
