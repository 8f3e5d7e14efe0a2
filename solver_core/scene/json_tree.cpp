// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
#include "scene/json_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "params/text.h"

namespace repose {

namespace {

constexpr int kDepthLimit = 64;  // scenes need 6; recursion must not overflow the stack

bool isDigit(char c) { return c >= '0' && c <= '9'; }

void appendUtf8(unsigned code, std::string& out) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | (code >> 6)), tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | (code >> 12)), tail(6), tail(0);
  } else {
    out += static_cast<char>(0xf0 | (code >> 18)), tail(12), tail(6), tail(0);
  }
}

// Recursive descent; each read function returns false after it has reported why.
class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  std::vector<JsonError> parse(JsonNode& root) {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;  // byte order mark of some editors
    skipBlanks();
    if (readValue(root, 0)) {
      skipBlanks();
      if (!atEnd()) fail(fmt::format("unexpected {} after the end of the document", here()));
    }
    return std::move(errors_);
  }

 private:
  bool atEnd() const { return at_ >= text_.size(); }
  char peek() const { return atEnd() ? '\0' : text_[at_]; }

  void advance() {
    const char c = text_[at_++];
    if (c == '\n') {
      place_ = {place_.line + 1, 1};
    } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
      ++place_.column;  // continuation bytes belong to the character before them
    }
  }

  void skipBlanks() {
    while (!atEnd() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) advance();
  }

  bool take(char c) {
    if (atEnd() || peek() != c) return false;
    advance();
    return true;
  }

  // The next character as a message shows it.
  std::string here() const {
    if (atEnd()) return "end of the file";
    const auto c = static_cast<unsigned char>(peek());
    return c < 0x20 || c > 0x7e ? fmt::format("byte 0x{:02x}", c) : fmt::format("'{}'", peek());
  }

  bool fail(std::string message) { return fail(place_, std::move(message)); }
  bool fail(TextPlace place, std::string message) {
    errors_.push_back({place, std::move(message)});
    return false;
  }

  bool readValue(JsonNode& node, int depth) {
    node.place = place_;
    if (depth > kDepthLimit) return fail(fmt::format("more than {} brackets inside each other", kDepthLimit));
    switch (peek()) {
      case '{':
        return readObject(node, depth);
      case '[':
        return readArray(node, depth);
      case '"':
        node.type = JsonNode::Type::string;
        return readString(node.text);
      default:
        break;
    }
    if (peek() == '-' || isDigit(peek())) return readNumber(node);
    if (readWord("true")) return setBoolean(node, true);
    if (readWord("false")) return setBoolean(node, false);
    if (readWord("null")) return true;
    return fail(fmt::format("expected a value, found {}", here()));
  }

  bool setBoolean(JsonNode& node, bool value) {
    node.type = JsonNode::Type::boolean;
    node.boolean = value;
    return true;
  }

  bool readWord(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    for (std::size_t k = 0; k < word.size(); ++k) advance();
    return true;
  }

  bool readNumber(JsonNode& node) {
    node.type = JsonNode::Type::number;
    const std::size_t start = at_;
    const auto digits = [&] {
      const std::size_t first = at_;
      while (isDigit(peek())) advance();
      return at_ > first;
    };
    take('-');
    const bool leading_zero = peek() == '0';
    const std::size_t whole = at_;
    bool good = digits() && !(leading_zero && at_ - whole > 1);
    if (good && take('.')) good = digits();
    if (good && (peek() == 'e' || peek() == 'E')) {
      advance();
      if (!take('+')) take('-');
      good = digits();
    }
    const std::string_view word = text_.substr(start, at_ - start);
    if (!good) return fail(node.place, fmt::format("\"{}\" is not a number as JSON writes it", word));
    const std::optional<double> value = parseNumber<double>(word);
    if (!value) return fail(node.place, fmt::format("the number {} does not fit", word));
    node.number = *value;
    return true;
  }

  bool readString(std::string& out) {
    const TextPlace start = place_;
    advance();
    while (!take('"')) {
      if (atEnd() || peek() == '\n') return fail(start, "the closing quote of this text is missing");
      if (static_cast<unsigned char>(peek()) < 0x20)
        return fail("a control character in a text must be escaped");
      if (take('\\')) {
        if (!readEscape(out)) return false;
      } else {
        out += peek();
        advance();
      }
    }
    return true;
  }

  bool readEscape(std::string& out) {
    static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
    if (take('u')) return readUnicode(out);
    const std::size_t letter = kLetters.find(peek());
    if (atEnd() || letter == std::string_view::npos) return fail("unknown escape in a text");
    out += kMeanings[letter];
    advance();
    return true;
  }

  // After \u; a high surrogate needs its low one.
  bool readUnicode(std::string& out) {
    unsigned code = 0;
    if (!readHex4(code)) return false;
    if (code >= 0xd800 && code < 0xdc00) {
      unsigned low = 0;
      if (!take('\\') || !take('u')) return fail("half of a surrogate pair in a text");
      if (!readHex4(low)) return false;
      if (low < 0xdc00 || low >= 0xe000) return fail("half of a surrogate pair in a text");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
      return fail("half of a surrogate pair in a text");
    }
    appendUtf8(code, out);
    return true;
  }

  bool readHex4(unsigned& code) {
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() != 4 || error != std::errc() || end != digits.data() + 4)
      return fail("\\u needs four hexadecimal digits");
    for (int k = 0; k < 4; ++k) advance();
    return true;
  }

  bool readArray(JsonNode& node, int depth) {
    node.type = JsonNode::Type::array;
    advance();
    skipBlanks();
    if (take(']')) return true;
    do {
      skipBlanks();
      node.items.emplace_back();
      if (!readValue(node.items.back(), depth + 1)) return false;
      skipBlanks();
    } while (take(','));
    return take(']') || fail(fmt::format("expected ',' or ']', found {}", here()));
  }

  bool readObject(JsonNode& node, int depth) {
    node.type = JsonNode::Type::object;
    advance();
    skipBlanks();
    if (take('}')) return true;
    do {
      skipBlanks();
      if (!readMember(node, depth)) return false;
      skipBlanks();
    } while (take(','));
    return take('}') || fail(fmt::format("expected ',' or '}}', found {}", here()));
  }

  bool readMember(JsonNode& node, int depth) {
    JsonMember member;
    member.place = place_;
    if (peek() != '"') return fail(fmt::format("expected a key in quotes, found {}", here()));
    if (!readString(member.key)) return false;
    skipBlanks();
    if (!take(':'))
      return fail(fmt::format("expected ':' after the key \"{}\", found {}", member.key, here()));
    skipBlanks();
    if (!readValue(member.value, depth + 1)) return false;
    const auto same = [&](const JsonMember& other) { return other.key == member.key; };
    const auto first = std::find_if(node.members.begin(), node.members.end(), same);
    if (first != node.members.end())
      fail(member.place, fmt::format("the key \"{}\" is already in line {}", member.key, first->place.line));
    node.members.push_back(std::move(member));
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  TextPlace place_;
  std::vector<JsonError> errors_;
};

}  // namespace

const char* jsonTypeName(JsonNode::Type type) {
  static constexpr const char* kNames[] = {"null",   "true or false", "a number",
                                           "a text", "a list",        "an object"};
  return kNames[static_cast<int>(type)];
}

std::vector<JsonError> parseJson(std::string_view text, JsonNode& root) {
  return JsonParser(text).parse(root);
}

}  // namespace repose
