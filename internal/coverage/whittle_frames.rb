# Shortens a program that ends with an exception: only functions with the names on its stack remain, of which each calls
# the next one, and the innermost raises the exception.
module WhittleFrames
  FEW = 3 # as fewCalls of package pass

  module_function

  # Returns a list of alternatives, which are lists of edits: [path, first byte, end byte, lines]. The first one leaves
  # only the innermost functions. The last one has no edits, as no part of the others is of use.
  def alternatives(exception, path_of)
    frames = (exception.backtrace_locations || []).filter_map do |at|
      path = at.absolute_path && path_of.(at.absolute_path)
      [path, at.base_label] if path
    end
    return [] unless exception.is_a?(StandardError) && frames[-1]&.last == "<main>"
    main = frames[-1][0]
    calls = frames.select { |_, name| name.match?(/\A[a-zA-Z_]\w*[!?]?\z/) }.uniq { |_, name| name }
    in_block = frames[0] == frames[-1] && !calls.empty?
    [calls[0, FEW], calls].uniq.map { |some| files(exception, some, main, in_block, path_of) } + [[]]
  end

  # In_block means that a block of the main program raised.
  def files(exception, calls, main, in_block, path_of)
    text = Hash.new { |all, path| all[path] = [] }
    first = calls.empty? ? main : calls[0][0]
    text[first].concat(defined(exception.class, path_of))
    message = exception.respond_to?(:original_message) ? exception.original_message : exception.message
    line = "raise #{exception.class}, #{message.to_s.inspect}"
    if in_block
      text[main].push("BLOCK = proc do", "  " + line, "end")
      line = "BLOCK.call"
    end
    calls.each_with_index do |(path, name), i|
      function = ["def #{name}", "  " + line, "end"]
      line = "#{name}()"
      if own?(name)
        function = ["class Callee#{i}", *function, "end"]
        line = name == "initialize" ? "Callee#{i}.new" : "Callee#{i}.new.#{name}"
      end
      text[path].concat(function)
    end
    others = text.keys - [main]
    text[main] = others.map { |path| "require_relative #{relative(path, main).inspect}" } + text[main] + [line]
    text.map { |path, lines| [path, 0, File.size(path_of.(path, true)), lines] }
  end

  # Reports whether all objects have a function of a name, which stays.
  def own?(name)
    return false unless Object.method_defined?(name) || Object.private_method_defined?(name)
    file, = Object.instance_method(name).source_location
    !file || !File.file?(file)
  end

  def relative(path, main)
    up = main.count("/")
    "./" + "../" * up + path.delete_suffix(".rb")
  end

  # Returns the lines that define a class of the reduced files, without members, and the classes that it is of.
  def defined(type, path_of)
    file, = type.name && Object.const_source_location(type.name)
    return [] unless file && path_of.(file)
    names = type.name.split("::")
    around = names[0..-2].each_index.map { |i| Object.const_get(names[0..i].join("::")) }
    heads = around.zip(names).map { |outer, name| "#{outer.is_a?(Class) ? "class" : "module"} #{name}" }
    heads << "class #{names[-1]} < #{type.superclass}"
    defined(type.superclass, path_of) + heads + ["end"] * heads.size
  end
end
