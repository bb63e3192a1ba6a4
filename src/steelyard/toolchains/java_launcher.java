import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Runs the main class of a checker, and ends with status 3 if any thread ends by an exception. */
final class SteelyardLauncher {
    public static void main(String[] arguments) throws Throwable {
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            error.printStackTrace();
            Runtime.getRuntime().halt(3);
        });
        String[] rest = new String[arguments.length - 1];
        System.arraycopy(arguments, 1, rest, 0, rest.length);
        Method main = Class.forName(arguments[0]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) rest);
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
    }
}
