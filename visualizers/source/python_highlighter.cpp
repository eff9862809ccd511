#include "visualizers/source/python_highlighter.h"

#include <QColor>
#include <QFont>

#include <algorithm>
#include <array>
#include <string_view>

namespace et::visualizers {

namespace {

/// Lexer state at the start of a line.
enum State : int { Code = 0, InSingleQuotes = 1, InDoubleQuotes = 2 };

const QString tripleSingle = QStringLiteral("'''");
const QString tripleDouble = QStringLiteral("\"\"\"");

constexpr std::array<std::u16string_view, 37> keywordList{
    u"False",  u"None",     u"True",   u"and", u"as",    u"assert", u"async",  u"await",    u"break", u"case",
    u"class",  u"continue", u"def",    u"del", u"elif",  u"else",   u"except", u"finally",  u"for",   u"from",
    u"global", u"if",       u"import", u"in",  u"is",    u"lambda", u"match",  u"nonlocal", u"not",   u"or",
    u"pass",   u"raise",    u"return", u"try", u"while", u"with",   u"yield"};

bool isKeyword(QStringView word) {
    return std::ranges::any_of(keywordList, [&](std::u16string_view each) {
        return word == QStringView(each.data(), static_cast<qsizetype>(each.size()));
    });
}

bool startsWord(QChar letter) {
    return letter.isLetter() || letter == u'_';
}

bool isInWord(QChar letter) {
    return letter.isLetterOrNumber() || letter == u'_';
}

/// True if the word is a valid string prefix: r, b, f, u or a pair of them.
bool isStringPrefix(QStringView word) {
    return word.size() <= 2 && std::ranges::all_of(word, [](QChar letter) {
               return QStringLiteral("rbfuRBFU").contains(letter);
           });
}

}  // namespace

PythonHighlighter::PythonHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {
    keywords.setFontWeight(QFont::Bold);
    setDark(false);
}

void PythonHighlighter::setDark(bool dark) {
    keywords.setForeground(dark ? QColor(0xff7b72) : QColor(0xa0111f));
    definitions.setForeground(dark ? QColor(0xd2a8ff) : QColor(0x6639ba));
    strings.setForeground(dark ? QColor(0xa5d6ff) : QColor(0x0a3069));
    numbers.setForeground(dark ? QColor(0x79c0ff) : QColor(0x0550ae));
    comments.setForeground(dark ? QColor(0x9198a1) : QColor(0x59636e));
    decorators.setForeground(dark ? QColor(0xffa657) : QColor(0x953800));
    rehighlight();
}

void PythonHighlighter::paint(qsizetype from, qsizetype to, const QTextCharFormat& format) {
    setFormat(static_cast<int>(from), static_cast<int>(to - from), format);
}

qsizetype PythonHighlighter::string(const QString& text, qsizetype from, qsizetype content,
                                    const QString& quote) {
    qsizetype at = content;
    while (at < text.size() && !QStringView(text).mid(at).startsWith(quote)) {
        at += text[at] == u'\\' ? 2 : 1;
    }
    const bool ended = at < text.size();
    const qsizetype end = ended ? at + quote.size() : text.size();
    paint(from, end, strings);
    if (!ended && quote.size() == 3) {
        setCurrentBlockState(quote == tripleSingle ? InSingleQuotes : InDoubleQuotes);
    }
    return end;
}

qsizetype PythonHighlighter::word(const QString& text, qsizetype from) {
    qsizetype end = from;
    while (end < text.size() && isInWord(text[end])) {
        ++end;
    }
    const QStringView found = QStringView(text).mid(from, end - from);
    if (isKeyword(found)) {
        paint(from, end, keywords);
        if (found == u"def" || found == u"class") {
            qsizetype name = end;
            while (name < text.size() && text[name].isSpace()) {
                ++name;
            }
            end = name;
            while (end < text.size() && isInWord(text[end])) {
                ++end;
            }
            paint(name, end, definitions);
        }
    } else if (isStringPrefix(found) && end < text.size() && (text[end] == u'"' || text[end] == u'\'')) {
        paint(from, end, strings);
    }
    return end;
}

qsizetype PythonHighlighter::number(const QString& text, qsizetype from) {
    qsizetype end = from;
    while (end < text.size() && (isInWord(text[end]) || text[end] == u'.')) {
        ++end;
    }
    paint(from, end, numbers);
    return end;
}

void PythonHighlighter::highlightBlock(const QString& text) {
    qsizetype at = 0;
    const int before = previousBlockState();
    setCurrentBlockState(Code);
    if (before == InSingleQuotes || before == InDoubleQuotes) {
        at = string(text, 0, 0, before == InSingleQuotes ? tripleSingle : tripleDouble);
    }
    while (at < text.size()) {
        const QChar letter = text[at];
        const QStringView rest = QStringView(text).mid(at);
        if (letter == u'#') {
            paint(at, text.size(), comments);
            return;
        }
        if (rest.startsWith(tripleSingle) || rest.startsWith(tripleDouble)) {
            at = string(text, at, at + 3, rest.first(3).toString());
        } else if (letter == u'"' || letter == u'\'') {
            at = string(text, at, at + 1, QString(letter));
        } else if (letter == u'@' && QStringView(text).first(at).trimmed().isEmpty()) {
            paint(at, text.size(), decorators);
            return;
        } else if (letter.isDigit()) {
            at = number(text, at);
        } else if (startsWord(letter)) {
            at = word(text, at);
        } else {
            ++at;
        }
    }
}

}  // namespace et::visualizers
